"use client";

import { Failure } from "@/app/_api/failure";
import { useChangeSession } from "@/app/_data/sessions/use-session-mutations";
import { useSession } from "@/app/_data/sessions/use-sessions";
import { Segmented } from "@/app/_ui/toggles";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import { isTemporaryId, takesMemoryAlong } from "@/lib/chat/wire/temporary-id";

export const memoryModes = [
  { value: "on", label: "Always" },
  { value: "ask", label: "Ask first" },
  { value: "off", label: "Never" },
] as const satisfies readonly { value: MemoryMode; label: string }[];

const memoryModeNotes: Record<MemoryMode, string> = {
  on: "Saves useful details automatically, and asks before it writes a skill.",
  ask: "Asks before each change, and waits for your answer.",
  off: "Reads memory but never changes it in this chat.",
};

export function MemoryModeSwitch({ sessionId }: { sessionId: string }) {
  if (isTemporaryId(sessionId))
    return (
      <p className="text-muted text-sm">
        {takesMemoryAlong(sessionId)
          ? "This temporary chat reads your memory and never changes it."
          : "A temporary chat neither reads nor changes your memory."}
      </p>
    );
  return <KeptMemoryMode sessionId={sessionId} />;
}

function KeptMemoryMode({ sessionId }: { sessionId: string }) {
  const { data } = useSession(sessionId);
  const change = useChangeSession();
  const mode = data?.session.memoryMode ?? "on";
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-medium text-sm">Let the model update memory</p>
      <Segmented
        label="Let the model update memory"
        value={mode}
        onChange={(memoryMode) => change.mutate({ id: sessionId, memoryMode })}
        options={memoryModes}
      />
      <p className="text-faint text-xs">{memoryModeNotes[mode]}</p>
      <Failure of={change} />
    </div>
  );
}
