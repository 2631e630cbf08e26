// One scope in memory over its ports: everything that its object answers, without the runtime.
import type { RecordedChange } from "../../src/channel/setting-history.ts";
import type { StoredSettings } from "../../src/channel/settings.ts";
import type { ConnectionAnswer, ConnectionRequest } from "../../src/core/access/connection-rpc.ts";
import type { ScopeInspection } from "../../src/core/access/inspection-rpc.ts";
import type { PersonAnswer, PersonRequest } from "../../src/core/access/person-rpc.ts";
import { DEPLOYMENT, guildOf, type ScopeCopy } from "../../src/core/access/scope-copy.ts";
import type {
  ForgottenElsewhere,
  LeaseAnswer,
  LeaseRequest,
  OwnerAlert,
  OwnerAnswer,
  OwnerRequest,
  OwnerUsage,
  ScopeUsage,
} from "../../src/core/access/scope-rpc.ts";
import type { TurnReport } from "../../src/core/money/report.ts";
import type { ScopePort, ServerSettingAnswer, ServerSettingChange } from "../../src/discord/answers/scope-port.ts";
import { changeServers } from "./added-servers.ts";
import { alertOwners } from "./alerts.ts";
import { type ConsentRequest, createConnections } from "./connections.ts";
import { carryOutForOwner, claimServer, deploymentCopy } from "./deployment.ts";
import { expire } from "./expiry.ts";
import { forgetDue, planForgetting } from "./forgetting.ts";
import { countTries, inspectScope, type TokenTries } from "./inspection.ts";
import { forgetNotified, hasNotified, mayTell } from "./notified.ts";
import { answerPerson } from "./people.ts";
import { lookForBot } from "./presence.ts";
import { nextAlarm, planAlarm } from "./scope-alarm.ts";
import type { ScopePorts } from "./scope-ports.ts";
import { ServerScope } from "./server.ts";
import { changeServerSetting } from "./server-settings.ts";
import { leaseOutsideServers, ownerUsage, passOn, scopeUsage, takeReports } from "./usage.ts";

/** The deployment's scope, or a server's. */
export class Scope implements ScopePort {
  readonly #ports: ScopePorts;
  readonly #server: ServerScope | null;
  readonly #tries: TokenTries;
  readonly #connections: (request: ConsentRequest) => Promise<ConnectionAnswer>;

  constructor(ports: ScopePorts) {
    const guildId = guildOf(ports.name);
    this.#ports = ports;
    this.#tries = countTries(ports);
    this.#connections = createConnections(ports.connections);
    this.#server = guildId === null ? null : new ServerScope(ports, guildId);
  }

  async copy(channelId?: string): Promise<ScopeCopy> {
    const { people, store } = this.#ports;
    const copy = this.#server ? await this.#server.copy(channelId ?? null) : await deploymentCopy(this.#ports, null);
    const settings = this.#server ? store.settings() : copy.settings;
    return { ...copy, settings, leftOut: people.leftOut(), withFacts: people.withFacts() };
  }

  async copyFor(guildId: string): Promise<ScopeCopy> {
    return deploymentCopy(this.#ports, guildId);
  }

  async claim(guildId: string): Promise<void> {
    if (this.#server) await this.#server.claim();
    else claimServer(this.#ports, guildId);
  }

  async own(request: OwnerRequest): Promise<OwnerAnswer> {
    return carryOutForOwner(this.#ports, request);
  }

  async lease(request: LeaseRequest): Promise<LeaseAnswer> {
    return this.#server ? this.#server.lease(request) : leaseOutsideServers(this.#ports, request);
  }

  /** In a server, also passes the reports on. If this life ends before that, the alarm that is set here does it. */
  async report(reports: readonly TurnReport[]): Promise<string[]> {
    const taken = takeReports(this.#ports, reports);
    const isNewDay = expire(this.#ports);
    this.#look();
    if (this.#server || isNewDay || this.#ports.forgetting.nextAt() !== null) planAlarm(this.#ports);
    if (this.#server) this.#passOn();
    return taken;
  }

  async usage(userId: string, channelId: string): Promise<ScopeUsage> {
    return scopeUsage(this.#ports, userId, channelId);
  }

  async person(request: PersonRequest): Promise<PersonAnswer> {
    const answer = answerPerson(this.#ports, request);
    if (request.op !== "facts") this.#keeps();
    return answer;
  }

  async forgetPerson(userId: string, exceptChannelId: string): Promise<ForgottenElsewhere> {
    this.#ports.settingHistory.forgetPerson(userId);
    forgetNotified(this.#ports, userId);
    const { connections } = this.#ports.connections;
    const attempts = connections.attempts();
    if (attempts.length > 0) connections.putAttempts(attempts.filter((one) => one.userId !== userId));
    planForgetting(this.#ports, userId, exceptChannelId);
    const done = forgetDue(this.#ports, userId);
    planAlarm(this.#ports);
    return done;
  }

  async changeSetting(change: ServerSettingChange): Promise<ServerSettingAnswer> {
    if (!this.#server) throw new Error("only servers have settings");
    const answer = changeServerSetting(this.#ports, change);
    this.#keeps();
    return answer;
  }

  async settings(): Promise<StoredSettings> {
    return this.#ports.store.settings();
  }

  async history(): Promise<RecordedChange[]> {
    return this.#ports.settingHistory.changes();
  }

  async ownerUsage(): Promise<OwnerUsage> {
    return ownerUsage(this.#ports);
  }

  async connection(request: ConnectionRequest): Promise<ConnectionAnswer> {
    const isChange = request.op === "add" || request.op === "remove";
    const answer = isChange ? changeServers(this.#ports, request) : await this.#connections(request);
    if (request.op === "begin") planAlarm(this.#ports);
    if (isChange) this.#keeps();
    return answer;
  }

  async alert(alert: OwnerAlert): Promise<void> {
    alertOwners(this.#ports, alert);
  }

  async mayTell(userId: string, messageId: string): Promise<boolean> {
    const isKnown = hasNotified(this.#ports);
    const may = mayTell(this.#ports, userId, messageId);
    // The alarm for the first entry also covers the later ones.
    if (!isKnown) planAlarm(this.#ports);
    return may;
  }

  async inspect(): Promise<ScopeInspection> {
    return inspectScope(this.#ports);
  }

  async mayTry(address: string, isRight: boolean): Promise<boolean> {
    return this.#tries(address, isRight);
  }

  /** May come late or twice. Rejects if the next alarm can't be set. */
  alarm(): Promise<void> {
    expire(this.#ports);
    this.#ports.keepAlive(forgetDue(this.#ports).then(() => {}));
    if (this.#server) this.#passOn();
    this.#look();
    return nextAlarm(this.#ports);
  }

  /** Called when something may be kept from now on, so it matters whether the bot stays in the server. */
  #keeps(): void {
    if (!this.#server) return;
    this.#look();
    planAlarm(this.#ports);
  }

  #look(): void {
    this.#ports.keepAlive(lookForBot(this.#ports));
  }

  #passOn(): void {
    this.#ports.keepAlive(passOn(this.#ports, this.#ports.findScope(DEPLOYMENT)));
  }
}
