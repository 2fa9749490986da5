import { api } from "@/app/_api/api";
import { toastError } from "@/app/_api/toast-error";
import { isolated } from "@/app/_ui/isolated";
import { toastDone } from "@/app/_ui/toast";
import { targetName } from "./block-words";
import { undoWrite } from "./undo-write";

const shownMs = 20_000;

interface ProgramWrite {
  readonly blockId: string;
  readonly key?: string | undefined;
  readonly sessionId: string | null;
}

export async function noticeProgramWrite(
  { blockId, key, sessionId }: ProgramWrite,
  reread: () => Promise<unknown>,
): Promise<void> {
  const query = { session: sessionId };
  const [{ blocks }, { versions }] = await Promise.all([
    api("GET /api/blocks", { query }),
    key === undefined
      ? api("GET /api/blocks/:blockId/versions", { params: { blockId }, query })
      : api("GET /api/blocks/:blockId/entries/:key/versions", { params: { blockId, key }, query }),
  ]);
  const [newest] = versions;
  if (newest?.author !== "program" || newest.proposed) return;
  const label = blocks.find(({ id }) => id === blockId)?.label ?? blockId;
  const { version, program } = newest;
  const write = { blockId, label, version, ...(key !== undefined && { key }) };
  const undo = () => void undoWrite(sessionId, write).then(reread).catch(toastError);
  toastDone(`${isolated(program ?? "A program")} wrote to ${targetName(write)}`, {
    id: `program-write/${blockId}/${key ?? ""}`,
    duration: shownMs,
    action: { label: "Undo", onClick: undo },
  });
}
