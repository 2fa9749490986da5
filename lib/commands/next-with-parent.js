// Next's command line, for a parent that holds a channel to it: however the parent ends, even by kill -9, the channel
// closes and Next does not live on alone. Plain JavaScript, because nothing compiles what Next itself runs in.
process.on("disconnect", () => process.exit(1));
await import("next/dist/bin/next");
