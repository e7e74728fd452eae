/** Takes one line of progress for a person. Results go to stdout; this goes to stderr (style.md "Command line"). */
export type Log = (line: string) => void;
