import { describe, expect, test } from "vitest";
import { readJsonBody } from "./read-json-body";

describe("readJsonBody", () => {
  test("parses what arrives in pieces, even within a character", async () => {
    const bytes = new TextEncoder().encode('{"word":"Grüße"}');
    expect(await readJsonBody(streamed([bytes.slice(0, 12), bytes.slice(12)]))).toEqual({
      ok: true,
      value: { word: "Grüße" },
    });
  });

  test.each(["", "{", "[1,]", "undefined", '{"a":1}}'])("answers 400 for %j", async (text) => {
    expect(await readJsonBody(post(text))).toMatchObject({ ok: false, status: 400 });
  });

  test("answers 400 for bytes that are no text", async () => {
    expect(await readJsonBody(streamed([Uint8Array.of(34, 0xff, 34)]))).toMatchObject({
      status: 400,
      message: "The body is not UTF-8 text.",
    });
  });

  test("answers 413 as soon as more has arrived than may", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 1_000;
        controller.enqueue(new Uint8Array(1_000).fill(32));
      },
    });
    expect(await readJsonBody(streaming(endless), { limitBytes: 10_000 })).toMatchObject({
      status: 413,
      message: "The request is larger than 10,000 bytes.",
    });
    expect(sent).toBeLessThan(20_000);
  });

  test("counts bytes, not characters", async () => {
    expect(await readJsonBody(post('"éé"'), { limitBytes: 6 })).toMatchObject({ ok: true });
    expect(await readJsonBody(post('"éé"'), { limitBytes: 5 })).toMatchObject({ status: 413 });
  });

  test("answers 408 when the rest does not come", async () => {
    const stuck = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) });
    expect(await readJsonBody(streaming(stuck), { withinMs: 5 })).toMatchObject({ status: 408 });
  });

  test("answers 400 when the connection breaks", async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new Error("reset")),
    });
    expect(await readJsonBody(streaming(broken))).toMatchObject({ status: 400 });
  });

  test("refuses nesting that would overflow what walks it, and takes brackets in a text", async () => {
    const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(await readJsonBody(post(deep(100)))).toMatchObject({ ok: true });
    expect(await readJsonBody(post(deep(101)))).toMatchObject({ status: 400 });
    expect(await readJsonBody(post(JSON.stringify(`"\\${deep(500)}`)))).toMatchObject({ ok: true });
  });
});

test("a text made to be slow is read at once", async () => {
  const before = process.cpuUsage();
  await readJsonBody(post(`"${'\\\\"'.repeat(300_000)}`));
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});

function post(text: string): Request {
  return new Request("http://localhost/api", { method: "POST", body: text });
}

function streamed(chunks: Uint8Array[]): Request {
  return streaming(
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
  );
}

function streaming(body: ReadableStream): Request {
  return new Request("http://localhost/api", {
    method: "POST",
    body,
    duplex: "half",
  } as RequestInit);
}
