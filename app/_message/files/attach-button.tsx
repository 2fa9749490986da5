"use client";

import { Camera, Paperclip } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { IconButton } from "@/app/_ui/button";

export function AttachButtons({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  return (
    <>
      <FileButton label="Attach files" icon={<Paperclip aria-hidden />} onFiles={onFiles} />
      <div className="pointer-coarse:contents hidden">
        <FileButton
          label="Take a photo"
          icon={<Camera aria-hidden />}
          capture="environment"
          onFiles={onFiles}
        />
      </div>
    </>
  );
}

interface FileButtonProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly capture?: "environment";
  readonly onFiles: (files: readonly File[]) => void;
}

function FileButton({ label, icon, capture, onFiles }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label={label} tooltip="top" onClick={() => input.current?.click()}>
        {icon}
      </IconButton>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        {...(capture ? { capture, accept: "image/*" } : { multiple: true })}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // Choosing the same file again must fire a change event.
          target.value = "";
        }}
      />
    </>
  );
}
