"""The command line: one file a command, and the options that commands share."""
