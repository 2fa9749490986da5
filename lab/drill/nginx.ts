import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { withTemporaryFolder } from "@/lib/commands/testing/grove-process";

const program = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"].find(
  (path) => existsSync(path),
);

export const hasNginx = program !== undefined;
export const hasOpenssl = ["/usr/bin/openssl", "/opt/homebrew/bin/openssl"].some((path) =>
  existsSync(path),
);

export interface ProxyPlace {
  readonly port: number;
  readonly to: string;
  /** Name of a certificate of its own; without one it speaks http. */
  readonly name?: string;
}

/** All but the place and the headers of docs/deployment.md is nginx's default, buffering included. */
function configFor(folder: string, { port, to, name }: ProxyPlace): string {
  const ssl = `ssl_certificate ${folder}/certificate.pem; ssl_certificate_key ${folder}/key.pem;`;
  const headers =
    "proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;";
  return `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port}${name ? " ssl" : ""}; ${name ? ssl : ""}
    location / {
      proxy_pass ${to};
      ${name ? `${headers} proxy_http_version 1.1; proxy_set_header Connection "";` : ""}
    }
  }
}`;
}

export function withNginx<Result>(place: ProxyPlace, use: () => Promise<Result>): Promise<Result> {
  return withTemporaryFolder(async (folder) => {
    await mkdir(join(folder, "logs"));
    if (place.name) await makeCertificate(folder, place.name);
    const config = join(folder, "nginx.conf");
    await writeFile(config, configFor(folder, place));
    const child = spawn(program ?? "", ["-c", config, "-p", folder], { stdio: "ignore" });
    try {
      await untilListening(place.port);
      return await use();
    } finally {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
  });
}

async function makeCertificate(folder: string, name: string): Promise<void> {
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "certificate.pem")];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`, "-days", "1"];
  await promisify(execFile)("openssl", ["req", "-x509", ...key, ...files, ...subject]);
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await delay(100);
  }
  throw new Error("nginx does not listen.");
}
