// A program that never comes up.
process.stderr.write("no such table: lanes\n");
process.exitCode = 1;
