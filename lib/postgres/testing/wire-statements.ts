const noType = 0;
const [parse, bind, execute, simple] = ["P", "B", "E", "Q"].map((type) => type.charCodeAt(0));

/**
 * Reads what a client sends to Postgres, and calls `sent` with the text of each statement that is to run.
 *
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function statementReader(sent: (text: string) => void): (bytes: Buffer) => void {
  const prepared = new Map<string, string>();
  let rest: Buffer = Buffer.alloc(0);
  let bound = "";
  let hasBegun = false;
  const read = (type: number, body: Buffer) => {
    const texts = body.toString("latin1").split("\0");
    if (type === parse) prepared.set(texts[0] ?? "", utf8(texts[1]));
    if (type === bind) bound = prepared.get(texts[1] ?? "") ?? "";
    if (type === execute) sent(bound);
    if (type === simple) sent(utf8(texts[0]));
  };
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      // The first message of a connection has no type.
      const head = hasBegun ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return;
      read(hasBegun ? (rest[0] ?? noType) : noType, rest.subarray(head + 4, end));
      hasBegun = true;
      rest = rest.subarray(end);
    }
  };
}

function utf8(text = ""): string {
  return Buffer.from(text, "latin1").toString("utf8").replace(/\s+/g, " ").trim();
}
