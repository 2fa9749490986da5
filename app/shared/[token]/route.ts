import "@/lib/server/services";

import { withoutShareLinks } from "@/app/_message/page-file/share-links";
import { dispositionOf, fileNameOf } from "@/lib/server/download";
import { streamOf } from "@/lib/server/file-transfer";
import { readBody } from "@/lib/server/read-json-body";
import { type OpenContext, openRoute } from "@/lib/server/route";
import {
  type LiveShare,
  noteView,
  openLink,
  piecesOf,
  reportLink,
  unpacked,
} from "@/lib/server/shared-links";
import { askPage, gonePage, linkHeaders, reportPage, thanksPage } from "./link-pages";

interface Params {
  token: string;
}

export const GET = openRoute<Params>((context) => answer(context, null));

/** A password is in no address, and in no cookie: its page answers the form itself. */
export const POST = openRoute<Params>(async (context) => {
  const body = await readBody(context.request, { limitBytes: 10_000 });
  const form = new URLSearchParams(body.ok ? Buffer.from(body.bytes).toString() : "");
  if (!form.has("report")) return answer(context, form.get("password"));
  const { request, params, services } = context;
  return (await reportLink(services, request, params.token)) ? thanksPage() : gonePage();
});

async function answer(
  { request, params: { token }, query, services }: OpenContext<Params>,
  password: string | null,
): Promise<Response> {
  const link = await openLink({ services, headers: request.headers, token, password });
  if (link.kind === "gone") return gonePage();
  if (query.has("report")) return reportPage();
  if (query.has("copy")) return to(`/shared/${token}/copy`);
  if (link.kind === "asks") return askPage(link.isWrong);
  if (link.kind === "sign-in") return to(`/sign-in?next=${encodeURIComponent(`/shared/${token}`)}`);
  const { share } = link;
  const save = query.get("save");
  if (save === "copy") return file(share, "jsonl", unpacked(piecesOf(services.sql, share, "copy")));
  const page = piecesOf(services.sql, share, "page");
  if (save === "page") return file(share, "html", withoutLinks(unpacked(page)));
  await noteView(services, link, request);
  // Next drops the encoding that a handler names, so the packed bytes would be shown as they are.
  return new Response(await streamOf(unpacked(page)), {
    headers: { ...linkHeaders, "Content-Security-Policy": pagePolicy },
  });
}

/** The page runs nothing, and has no origin, so that not even a defect of its markup reaches the reader's own data. */
const pagePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "sandbox allow-downloads allow-popups allow-popups-to-escape-sandbox",
].join("; ");

async function file(
  { title }: LiveShare,
  ending: "html" | "jsonl",
  bytes: AsyncIterable<Uint8Array>,
): Promise<Response> {
  const disposition = dispositionOf(`${fileNameOf(title, "conversation")}.${ending}`, "attachment");
  const type = ending === "html" ? "text/html; charset=utf-8" : "application/x-ndjson";
  const headers = { ...linkHeaders, "Content-Type": type, "Content-Disposition": disposition };
  return new Response(await streamOf(bytes), { headers });
}

async function* withoutLinks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const piece of bytes) {
    if (start === null) yield piece;
    else {
      start = Buffer.concat([start, piece]);
      if (start.length < longestStart) continue;
      yield cut(start);
      start = null;
    }
  }
  if (start !== null) yield cut(start);
}

const longestStart = 30_000;

function cut(start: Buffer): Buffer {
  return Buffer.from(withoutShareLinks(start.toString("latin1")), "latin1");
}

function to(location: string): Response {
  return new Response(null, { status: 303, headers: { ...linkHeaders, Location: location } });
}
