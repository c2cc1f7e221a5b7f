"""Protocol P1 `official`: a scripted shopper with a hidden card of up to four true values of one product."""
