"use client";

import { Search } from "lucide-react";
import { Button } from "@/app/_ui/button";
import { shellStore } from "./shell-store";

export function SearchButton() {
  return (
    <Button onClick={() => shellStore.openPalette()}>
      <Search aria-hidden />
      Search
    </Button>
  );
}
