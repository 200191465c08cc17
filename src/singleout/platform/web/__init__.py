"""What a browser or a script talks to: the application, its security, its API and its pages."""
