/** Second lines, in Latin 1, of archived texts whose names do not tell the id. */
export const unreadable = [
  '{"type":"session","id":"\\x"}',
  '{"type":"session","id":"\\u12"}',
  '{"type":"session","id":"a\tb"}',
  '{"type":"session","id":"caf\u00e9"}',
  '{"type":"session","id":"another"}',
];
