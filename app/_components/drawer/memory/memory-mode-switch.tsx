"use client";

import { Segmented } from "@/app/_components/drawer/segmented";
import { ErrorNotice } from "@/app/_components/ui/error-notice";
import { errorSentence } from "@/app/_hooks/api/api-error";
import { useSession } from "@/app/_hooks/api/use-session";
import { useChangeSession } from "@/app/_hooks/api/use-session-mutations";
import type { MemoryMode } from "@/lib/chat/wire";

const options = [
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
] as const;

type Mode = (typeof options)[number]["value"];

const notes: Record<Mode, string> = {
  on: "The model notes what is worth keeping as you talk.",
  off: "The model reads its memory but writes nothing in this session.",
};

/** Whether the model may write into memory, for one session. */
export function MemoryModeSwitch({ sessionId }: { sessionId: string }) {
  const { data } = useSession(sessionId);
  const change = useChangeSession();
  const mode = shownMode(data?.session.memoryMode);
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-medium text-sm">The model may write memory</p>
      <Segmented
        label="The model may write memory"
        value={mode}
        onChange={(memoryMode) => change.mutate({ id: sessionId, memoryMode })}
        options={options}
      />
      <p className="text-faint text-xs">{notes[mode]}</p>
      {change.isError && <ErrorNotice>{errorSentence(change.error)}</ErrorNotice>}
    </div>
  );
}

/** Whatever does not let the model write by itself is off. */
function shownMode(mode: MemoryMode = "on"): Mode {
  return mode === "on" ? "on" : "off";
}
