"""What a study says of itself at length: what was not obtainable, the report, the picture of its history."""
