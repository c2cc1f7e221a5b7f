"""Protocol P2 `natural`: a shopper with one product in mind, who says what is true of it and of nothing else here."""
