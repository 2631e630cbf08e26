// What `cloudflare:workers` and `cloudflare:test` export inside the workers lane.
/// <reference types="@cloudflare/vitest-pool-workers/types" />
declare namespace Cloudflare {
  interface GlobalProps {
    mainModule: typeof import("../support/worker.ts");
    durableNamespaces: "ChannelObject" | "GatewayObject" | "ScopeObject";
  }
  interface Env {
    CHANNEL: DurableObjectNamespace;
    GATEWAY: DurableObjectNamespace;
    SCOPE: DurableObjectNamespace;
  }
}

/** A file as its text. */
declare module "*?raw" {
  const text: string;
  export default text;
}
