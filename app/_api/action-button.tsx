"use client";

import { useState } from "react";
import { Button, type ButtonProps } from "@/app/_ui/button";
import { toastError } from "./toast-error";

export interface ActionButtonProps extends Omit<ButtonProps, "busy" | "onClick"> {
  readonly action: () => Promise<unknown>;
}

/** Is busy until its action has ended. A failure is a toast. */
export function ActionButton({ action, ...props }: ActionButtonProps) {
  const [isBusy, setIsBusy] = useState(false);
  async function act() {
    setIsBusy(true);
    await action().catch(toastError);
    setIsBusy(false);
  }
  return <Button {...props} busy={isBusy} onClick={() => void act()} />;
}
