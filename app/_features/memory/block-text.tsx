"use client";

import { type ReactNode, useRef, useState } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import type { MemoryScope } from "@/app/_api/query-keys";
import { Button } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { Markdown } from "@/app/_ui/markdown/markdown";
import { TaskTicking } from "@/app/_ui/markdown/task-ticking";
import { ErrorNotice } from "@/app/_ui/notice";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { taskMarks, useTicking } from "./task-items";

/** About the collapsed height: 12 lines of a narrow column. */
const longCharacters = 600;
const longLines = 12;

export interface BlockTextProps {
  sessionId: MemoryScope;
  block: BlockWire;
  onEdit: () => void;
}

export function BlockText({ sessionId, block, onEdit }: BlockTextProps) {
  const { tick, content, error } = useTicking(sessionId, block);
  const textRef = useRef<HTMLDivElement>(null);

  function onTick(box: HTMLInputElement): void {
    const boxes = [...(textRef.current?.querySelectorAll<HTMLInputElement>("input") ?? [])];
    if (boxes.length === taskMarks(content).length) tick(boxes.indexOf(box));
    else onEdit();
  }

  return (
    <Folding isLong={content.length > longCharacters || content.split("\n").length > longLines}>
      <TaskTicking value={onTick}>
        <div ref={textRef} className="prose-compact">
          <Markdown text={content} />
        </div>
      </TaskTicking>
      {error && <ErrorNotice className="mt-2">{refusal(error)}</ErrorNotice>}
    </Folding>
  );
}

function refusal(error: Error): string {
  const isOvertaken = error instanceof ApiError && error.code === "block-conflict";
  return isOvertaken
    ? "This text has changed. You're now seeing the latest version."
    : errorSentence(error);
}

function Folding({ isLong, children }: { isLong: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <div className={classNames(isLong && !isOpen && "mask-b-from-80% max-h-64 overflow-hidden")}>
        {children}
      </div>
      {isLong && (
        <Button
          size="sm"
          variant="ghost"
          className="-ml-2.5"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Show less" : "Show all"}
        </Button>
      )}
    </div>
  );
}
