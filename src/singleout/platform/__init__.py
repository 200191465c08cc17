"""The evaluation platform: contests on de-identified data, from the upload to the board."""
