"""Protocol P3 `realistic`: P1's hidden card said the way people talk, in six personas and two levels."""
