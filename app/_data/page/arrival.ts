import { inSpace } from "@/app/_ui/page-space";

/** Hands the page of another space a value in its address, which loses it once read. */
function arrival(name: string, page = "/?") {
  return {
    address: (value: string, space: string | null = null) =>
      `${inSpace(page, space)}${new URLSearchParams({ [name]: value })}`,
    take(): string | null {
      const here = new URL(location.href);
      const value = here.searchParams.get(name);
      if (value === null) return null;
      here.searchParams.delete(name);
      history.replaceState(history.state, "", here);
      return value;
    },
  };
}

export const deletedProject = arrival("deleted-project");
export const askedSearch = arrival("search");
export const newKeyFor = arrival("key-for", "/settings?section=programs&");
