/** Browsers refuse a request whose body and those under way have more than 64 KiB together. */
const maxBytes = 60 * 1024;
let bytesUnderWay = 0;

/** A page shows many changes before they are stored; `keepalive` lets them be stored though the page is left. */
export async function whileLeaving<Answer>(
  body: string,
  send: (keepalive: boolean) => Promise<Answer>,
): Promise<Answer> {
  const { size } = new Blob([body]);
  if (bytesUnderWay + size > maxBytes) return send(false);
  bytesUnderWay += size;
  try {
    return await send(true);
  } finally {
    bytesUnderWay -= size;
  }
}
