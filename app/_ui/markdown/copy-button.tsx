"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "@/app/_ui/button";
import { toastFailure } from "@/app/_ui/toast";

const shownMs = 1_600;

export interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly size?: "xs" | "sm";
}

export function CopyButton({ text, label, size = "xs" }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => toastFailure("Your browser blocked copying. Select the text and copy it manually."),
    );
  return (
    <IconButton
      label={copied ? "Copied" : label}
      size={size}
      tooltip="top"
      onClick={() => void copy()}
    >
      {copied ? <Check aria-hidden className="text-accent" /> : <Copy aria-hidden />}
    </IconButton>
  );
}
