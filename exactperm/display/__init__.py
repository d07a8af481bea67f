"""Pictures in SVG and tables in HTML, from plain numbers and texts; they know no test."""
