/** Somebody else's program, as its users start it for one task. */
export interface Client {
  readonly name: string;
  /** On npm, with their versions. */
  readonly packages: readonly string[];
  /** A script of the first package that npm leaves out where scripts are off. */
  readonly prepare?: string;
  /** One of the packages', or `node`. */
  readonly command: string;
  /** Over MCP it calls Grove's search before the task, or does no task, but lists the tools of its key. */
  readonly mcp?: "calls" | "lists";
  /** Has no shell: the answer is all of its task. */
  readonly asks?: true;
  /** Printed once it has listed them. Default: a tool's name. */
  readonly lists?: string;
  /** Arguments of a first run, which stores the address and the key in its settings. */
  before?(given: Given): readonly string[];
  start(given: Given): Started;
}

export interface Given {
  readonly task: string;
  /** Grove's, without `/v1`. */
  readonly address: string;
  readonly key: string;
  readonly model: string;
}

interface Started {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Files in its home, which is also where it works, by path: text, or settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
}
