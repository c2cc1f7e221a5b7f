"""Estimation of the ranking's constants from the choices that generated sessions show."""
