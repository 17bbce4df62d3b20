"""What a user reads: pictures, an HTML page, and the folder that ``keyhole select`` writes."""
