"use client";

import { Camera, Paperclip } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { IconButton } from "@/app/_ui/button";
import { useMediaQuery } from "@/app/_ui/use-media-query";

export function AttachButtons({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const hasCamera = useMediaQuery("(pointer: coarse)");
  return (
    <>
      <FileButton label="Attach files" icon={<Paperclip aria-hidden />} onFiles={onFiles} />
      {hasCamera && (
        <FileButton
          label="Take a photo"
          icon={<Camera aria-hidden />}
          capture="environment"
          onFiles={onFiles}
        />
      )}
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
