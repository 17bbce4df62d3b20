"""The ground floor: scales of attributes, revealed cells as standardised rows, and joint moments."""
