import { onceHint } from "@/app/_data/page/once-hint";
import { shellStore } from "@/app/_data/page/shell-store";
import { Button } from "@/app/_ui/button";
import { createStore, useStore } from "@/app/_ui/store";
import { LineAboveComposer } from "./left-branch-line";
import type { LoadedTranscript } from "./transcript-window";

type BranchHint = "versions" | "tree";

const unseen = { versions: onceHint("versions"), tree: onceHint("tree") };

const shownHint = createStore<{ sessionId: string; hint: BranchHint } | null>(null);

export function endBranchHint(): void {
  shownHint.update(() => null);
}

export function hintAtNewVersion(
  sessionId: string,
  { isAnswer, before }: { isAnswer: boolean; before: LoadedTranscript },
): void {
  const isDue = { versions: isAnswer, tree: branchesOf(before) >= 2 };
  const hint = (["versions", "tree"] as const).find((each) => isDue[each] && unseen[each].read());
  if (!hint) return;
  unseen[hint].update(() => false);
  shownHint.update(() => ({ sessionId, hint }));
}

function branchesOf({ entries }: LoadedTranscript): number {
  return entries.reduce((sum, { siblings }) => sum + siblings.count - 1, 1);
}

export function BranchHintLine({ sessionId }: { sessionId: string }) {
  const shown = useStore(shownHint);
  if (shown?.sessionId !== sessionId) return null;
  return (
    <LineAboveComposer onDismiss={endBranchHint}>
      <p role="status" className="min-w-0 flex-1 truncate pl-1">
        {shown.hint === "versions"
          ? "Both answers are kept: ‹ 1 / 2 › goes between them."
          : "This chat has several branches."}
      </p>
      {shown.hint === "tree" && (
        <Button
          size="sm"
          variant="ghost"
          onClick={() => {
            endBranchHint();
            shellStore.openDrawer("tree");
          }}
        >
          Open tree
        </Button>
      )}
    </LineAboveComposer>
  );
}
