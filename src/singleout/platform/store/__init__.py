"""What the platform remembers: accounts, contests, submissions, jobs and results in SQL, and files."""
