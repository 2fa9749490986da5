import { changeBlock, deleteBlock } from "@/lib/chat/memory/own-blocks";
import { writeBlock } from "@/lib/chat/memory/write-block";
import {
  changeBlockRequest,
  type DeletedBlockWire,
  writeBlockRequest,
} from "@/lib/chat/wire/memory";
import { bodyOf, route, textIn } from "@/lib/server/route";

interface Params {
  label: string;
}

export const PUT = route<Params>(async ({ owner, params, query, request }) => {
  const body = await bodyOf(request, writeBlockRequest);
  const sessionId = textIn(query, "session") ?? null;
  return Response.json(await writeBlock(owner, { label: params.label, sessionId, ...body }));
});

export const PATCH = route<Params>(async ({ owner, params, query, request }) => {
  const body = await bodyOf(request, changeBlockRequest);
  const sessionId = textIn(query, "session") ?? null;
  return Response.json(await changeBlock(owner, { label: params.label, sessionId }, body));
});

export const DELETE = route<Params>(async ({ owner, params, query }) => {
  const sessionId = textIn(query, "session") ?? null;
  const deletionId = await deleteBlock(owner, { label: params.label, sessionId });
  return Response.json({ deletionId } satisfies DeletedBlockWire);
});
