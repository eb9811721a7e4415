// Generated from host/native/wire by `go run ./host/native/tsgen`; do not edit.

export const ProtocolMin = 1;
export const ProtocolMax = 1;
export const KindReq = "req";
export const KindRes = "res";
export const KindEvt = "evt";
export const KindCancel = "cancel";
export const KindChunk = "chunk";
/** a frame that is not a Message */
export const CodeMalformed = "malformed";
/** a length over the limit */
export const CodeTooLarge = "too_large";
/** no handler of that name */
export const CodeUnknownMethod = "unknown_method";
/** params do not decode */
export const CodeInvalidParams = "invalid_params";
/** no common protocol version */
export const CodeProtocol = "protocol";
/** the bound of the request ran out */
export const CodeTimeout = "timeout";
/** the requester withdrew it */
export const CodeCancelled = "cancelled";
/** the other side is gone */
export const CodeClosed = "closed";
/** a bug on the answering side */
export const CodeInternal = "internal";
/** chrome.* or CDP refused; Message is its text */
export const CodeBrowser = "browser";
/** too many requests or channels at once; try again later */
export const CodeBusy = "busy";
/** one side does not keep up; the connection was closed */
export const CodeOverflow = "overflow";
/** HelloParams → HelloResult; first message on every connection */
export const MethodHello = "hello";
/** ChannelParams; evt: a panel port opened */
export const MethodChannelOpen = "channel.open";
/** ChannelParams; evt: a panel port closed */
export const MethodChannelClose = "channel.close";
/** TabParams → Empty; chrome.debugger.attach 1.3 */
export const MethodCDPAttach = "cdp.attach";
/** TabParams → Empty */
export const MethodCDPDetach = "cdp.detach";
/** CDPSendParams → raw result of the command */
export const MethodCDPSend = "cdp.send";
/** CDPBatchParams → CDPBatchResult; several commands at once, in their order */
export const MethodCDPBatch = "cdp.batch";
/** Empty → []DebugTarget; chrome.debugger.getTargets */
export const MethodCDPTargets = "cdp.targets";
/** Empty → []TabInfo */
export const MethodTabsList = "tabs.list";
/** TabParams → TabInfo */
export const MethodTabsGet = "tabs.get";
/** TabsCreateParams → TabInfo */
export const MethodTabsCreate = "tabs.create";
/** TabParams → Empty */
export const MethodTabsActivate = "tabs.activate";
/** TabParams → Empty */
export const MethodTabsRemove = "tabs.remove";
/** InjectParams → InjectResult; puts the extractor into the isolated world */
export const MethodInject = "scripting.inject";
/** FollowParams → Empty; puts the extractor into each new main document, until the tab is detached */
export const MethodFollow = "scripting.follow";
/** Empty → Empty; chrome.runtime.reload */
export const MethodReload = "extension.reload";
/** Empty → Empty; both ways */
export const MethodPing = "ping";
/** CDPEvent; from chrome.debugger.onEvent */
export const EventCDP = "cdp.event";
/** CDPDetached; from chrome.debugger.onDetach */
export const EventCDPDetached = "cdp.detached";
/** TabInfo */
export const EventTabCreated = "tabs.created";
/** TabInfo */
export const EventTabUpdated = "tabs.updated";
/** TabParams */
export const EventTabRemoved = "tabs.removed";
/** TabReplaced; from chrome.tabs.onReplaced */
export const EventTabReplaced = "tabs.replaced";
/** TabParams */
export const EventTabActivated = "tabs.activated";
/** DownloadEvent; from chrome.downloads.onCreated / onChanged */
export const EventDownload = "downloads.event";
/** AttentionInfo; broker → service worker: what its browser should show, whenever it changes */
export const EventAttention = "relay.attention";
/** RelayStatus; the service worker → its panels, never to the broker */
export const EventRelayStatus = "relay.status";
/** Empty; a panel → the service worker: try to reach the host now */
export const EventRelayRetry = "relay.retry";
/** CDPDetached.Reason when the user closed Chrome's debugging bar */
export const ReasonUserCancelled = "canceled_by_user";
/** a card */
export const WaitConfirm = "confirm";
/** a question, or a tab that was handed to the user */
export const WaitAsk = "ask";
/** Empty → PanelState; what a panel needs to draw itself */
export const MethodPanelState = "panel.state";
/** TaskStartParams → TaskInfo */
export const MethodTaskStart = "task.start";
/** TaskParams → Empty; returns once nothing runs any more */
export const MethodTaskStop = "task.stop";
/** Empty → TaskList */
export const MethodTaskList = "task.list";
/** SubscribeParams → Subscribed; then EventTask events, oldest first */
export const MethodTaskSubscribe = "task.subscribe";
/** TaskParams → Empty */
export const MethodTaskUnsubscribe = "task.unsubscribe";
/** SayParams → Empty; an answer to askUser, or words that steer the task */
export const MethodTaskSay = "task.say";
/** TaskParams → Empty */
export const MethodTaskPause = "task.pause";
/** TaskParams → Empty */
export const MethodTaskResume = "task.resume";
/** ConfirmAnswer → Empty */
export const MethodConfirm = "confirm.answer";
/** Empty → PolicyInfo */
export const MethodPolicyShow = "policy.show";
/** GrantRef → PolicyInfo; a panel only */
export const MethodPolicyRevoke = "policy.revoke";
/** Empty → ModelList */
export const MethodModelList = "models.list";
/** ModelRef → Empty */
export const MethodModelUse = "models.use";
/** Empty → TourInfo; the bundled shop with a stand-in model */
export const MethodTourStart = "tour.start";
/** Empty → BrokerStatus; what doctor asks */
export const MethodBrokerStatus = "broker.status";
/** StopParams → Empty; ends the broker */
export const MethodBrokerStop = "broker.stop";
/** ProfileParams → Empty; opens a tab in that profile, attaches to it and closes it, for doctor */
export const MethodTryAttach = "broker.attach";
/** Event */
export const EventTask = "task.event";
/** DeltaEvent; passing, unnumbered */
export const EventDelta = "task.delta";
/** Text = the task */
export const EvStarted = "started";
/** Text = the finished thought */
export const EvThinking = "thinking";
/** Plan, Text = the same in words */
export const EvPlan = "plan";
/** Step */
export const EvToolCall = "tool_call";
/** Step with Outcome */
export const EvToolResult = "tool_result";
/** Text */
export const EvProgress = "progress";
/** Confirm */
export const EvConfirmRequest = "confirm_request";
/** Confirm with Answer */
export const EvConfirmResult = "confirm_result";
/** Text, Level */
export const EvNotify = "notify";
/** Text = the question to the user */
export const EvAsk = "ask";
/** Text = what the user said */
export const EvSaid = "said";
/** Text = why; Level = takeover while the user acts themselves */
export const EvPaused = "paused";
export const EvResumed = "resumed";
/** Text */
export const EvSteered = "steered";
/** Text = the answer (Markdown) */
export const EvComplete = "complete";
/** Error */
export const EvFailed = "failed";
/** Text = why */
export const EvCancelled = "cancelled";
/** Text = what it waits for */
export const EvQueued = "queued";
/** EvInterrupted ends a task that can be resumed: Text = why, Error. */
export const EvInterrupted = "interrupted";
/** a piece of the answer, while the model writes it */
export const DeltaAnswer = "answer";
/** the streamed answer is withdrawn */
export const DeltaRetract = "retract";
/** waits for the tab that another works in */
export const TaskQueued = "queued";
export const TaskRunning = "running";
/** a card is open */
export const TaskConfirming = "confirming";
/** waiting for the user's answer */
export const TaskAsking = "asking";
export const TaskPaused = "paused";
export const TaskDone = "done";
export const TaskFailed = "failed";
export const TaskCancelled = "cancelled";
/** the broker or the browser went away under it */
export const TaskInterrupted = "interrupted";
/** SessionOpenParams → SessionInfo; joins the session of that name if there is one */
export const MethodSessionOpen = "session.open";
/** SessionDoParams → SessionResult; a failed action is a result with an error */
export const MethodSessionDo = "session.do";
/** SessionObserveParams → SessionResult; a look at the page */
export const MethodSessionObserve = "session.observe";
/** SessionAnswerParams → Empty; for a launched browser only, else the panel answers */
export const MethodSessionAnswer = "session.answer";
/** SessionCloseParams → Empty */
export const MethodSessionClose = "session.close";
/** Empty → SessionList; a panel gets those in its own browser */
export const MethodSessionList = "session.list";
/** SessionTabParams → Empty; a panel only: the program may work in this tab of the user's */
export const MethodSessionHand = "session.hand";
/** SessionTabParams → Empty; a panel only: the user takes a tab back */
export const MethodSessionTake = "session.take";
/** Empty → ProfileList */
export const MethodProfileList = "profile.list";
/** ProfileRemoveParams → Empty; an own profile that does not run */
export const MethodProfileRemove = "profile.remove";
export const ProfileChrome = "chrome";
export const ProfileOwn = "own";
/** ConvListParams → ConvList; the last changed first */
export const MethodConvList = "conversation.list";
/** ConvRef → ConvInfo; with its tasks, oldest first */
export const MethodConvShow = "conversation.show";
/** ConvRenameParams → ConvInfo; a panel only */
export const MethodConvRename = "conversation.rename";
/** ConvRef → Empty; a panel only; busy while a task of it runs */
export const MethodConvDelete = "conversation.delete";
/** ConvExportParams → Exported */
export const MethodConvExport = "conversation.export";
/** TaskParams → Empty; a panel only: the user acts, nothing is read until task.resume */
export const MethodTakeOver = "task.takeOver";
/** PlanEditParams → Empty; a panel only */
export const MethodPlanEdit = "task.editPlan";
/** StepRef → Picture; the page after that step, small */
export const MethodStepThumb = "task.thumb";
/** TaskInfo; to every panel, whenever a task begins, changes its state or ends */
export const EventTaskChanged = "task.changed";
export const PlanTodo = "todo";
export const PlanDoing = "doing";
export const PlanDone = "done";
export const PlanDropped = "dropped";
/** Empty → SettingsInfo */
export const MethodSettingsShow = "settings.show";
/** SettingsSetParams → SettingsInfo; a panel only; all or nothing */
export const MethodSettingsSet = "settings.set";
/** KeyParams → SettingsInfo; a panel only; no method gives a key back */
export const MethodKeySet = "key.set";
/** KeyParams → SettingsInfo; a panel only */
export const MethodKeyRemove = "key.remove";
/** ModelRef → ModelCheck; with real requests, one of each kind */
export const MethodModelCheck = "models.check";
/** ModelRef → Empty; what was seen to fail with a model is tried again */
export const MethodModelForget = "models.forget";
/** ModelRef → PullList; a panel only; has Ollama get a model, and does not wait for it */
export const MethodModelPull = "models.pull";
/** Empty → PullList; how far they have come */
export const MethodModelPulls = "models.pulls";
/** ModelRef → PullList; a panel only; ends a pull, or removes an ended one from the list */
export const MethodModelPullStop = "models.pullStop";
/** WarmParams → Empty; a panel only; has a model on this machine loaded ahead of a task */
export const MethodModelWarm = "models.warm";
/** PolicyGrantParams → PolicyInfo; a panel only */
export const MethodPolicyGrant = "policy.grant";
/** Empty → DoctorReport */
export const MethodDoctorRun = "doctor.run";
/** DoctorFixParams → DoctorReport; a panel only */
export const MethodDoctorFix = "doctor.fix";
export const PullRunning = "running";
export const PullDone = "done";
export const PullFailed = "failed";
export const PullStopped = "stopped";
/** write the registration with each browser anew */
export const FixManifest = "manifest";
/** write the extension's folder anew; the extension reloads itself */
export const FixExtension = "extension";
/** reload the extension */
export const FixReload = "reload";
/** end the broker; the extension starts another one */
export const FixRestart = "restart";
/** remove what can't be read from the settings file, and keep a copy of the old file */
export const FixSettings = "settings";
/** correct the permissions of the program's file */
export const FixProgram = "program";
/** set aside copies of the registration that no browser uses */
export const FixStrays = "strays";
/** let the user write to Tabwright's folders */
export const FixFolders = "folders";
/** remove what an ended broker left, and end one that hangs */
export const FixSocket = "socket";
/** set aside a journal that can't be read */
export const FixJournal = "journal";
/** deny other users the file of the keys */
export const FixKeys = "keys";
/** set an address that answers, or a model that can act */
export const FixModel = "model";
/** remove the locks that ended browsers left in our own profiles */
export const FixProfiles = "profiles";
/** FlowRunParams → FlowInfo; from a sentence or from a file's text */
export const MethodFlowRun = "workflow.run";
/** Empty → FlowList; the newest first */
export const MethodFlowList = "workflow.list";
/** FlowRef → FlowInfo */
export const MethodFlowShow = "workflow.show";
/** FlowRef → FlowInfo; its tasks wait before their next step, no node begins */
export const MethodFlowPause = "workflow.pause";
/** FlowRef → FlowInfo; also of an interrupted one: finished nodes are not run again */
export const MethodFlowResume = "workflow.resume";
/** FlowRef → FlowInfo; its tasks end, it may be resumed later */
export const MethodFlowStop = "workflow.stop";
/** FlowModifyParams → FlowInfo; nodes that began stay as they are */
export const MethodFlowModify = "workflow.modify";
/** FlowSaveParams → Exported; a workflow with its state, or a finished task as a recording */
export const MethodFlowSave = "workflow.save";
/** FlowRestoreParams → FlowInfo; from a saved file, under a new id */
export const MethodFlowRestore = "workflow.restore";
/** TraceParams → Exported; steps, pictures, what the model saw and said */
export const MethodTaskTrace = "task.trace";
/** TaskParams → TaskResult; of a task with a schema */
export const MethodTaskResult = "task.result";
/** FlowInfo; to every panel */
export const EventFlowChanged = "workflow.changed";
export const FlowRunning = "running";
export const FlowPaused = "paused";
export const FlowDone = "done";
export const FlowFailed = "failed";
export const FlowCancelled = "cancelled";
/** the broker ended under it */
export const FlowInterrupted = "interrupted";
/** for others, or for its turn */
export const NodeWaiting = "waiting";
export const NodeRunning = "running";
export const NodeDone = "done";
export const NodeFailed = "failed";
/** one that it needs failed */
export const NodeSkipped = "skipped";
/** Empty → SavedList; by name */
export const MethodSavedList = "saved.list";
/** SavedKeepParams → SavedFlow; a panel only */
export const MethodSavedKeep = "saved.keep";
/** SavedRenameParams → SavedFlow; a panel only */
export const MethodSavedRename = "saved.rename";
/** SavedRef → SavedList; a panel only */
export const MethodSavedRemove = "saved.remove";
/** ReplayParams → TaskInfo; a recording, as a task; a panel only */
export const MethodReplay = "saved.replay";
/** steps, by role and name */
export const SavedRecording = "recording";
/** tasks that depend on each other */
export const SavedGraph = "graph";

/** Kind says what a Message is. */
export type Kind = "req" | "res" | "evt" | "cancel" | "chunk";

/**
 * Message is the one envelope on every leg: Chrome ↔ shim ↔ broker, and
 * CLI ↔ broker. Ids are chosen by the requester and are unique per direction
 * and channel.
 */
export interface Message {
  kind: Kind;
  /**
   * Chan is empty for the relay itself (or a CLI client); the service worker
   * puts the id of a panel's runtime port there, so that many panels share
   * one native port.
   */
  chan?: string;
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: Error;
  chunk?: Chunk;
}

/**
 * Chunk is one slice of the UTF-8 JSON of a whole Message. Data is base64 so
 * that a slice may fall inside a character. Slices of one message arrive in
 * order and are not interleaved with slices of another on the same channel.
 */
export interface Chunk {
  id: number;
  seq: number;
  total: number;
  data: string | null;
}

/** Code names an error for programs; see PROTOCOL.md for what each means. */
export type Code = "malformed" | "too_large" | "unknown_method" | "invalid_params" | "protocol" | "timeout" | "cancelled" | "closed" | "internal" | "browser" | "busy" | "overflow" | (string & {});

/**
 * Error is how every failure travels: a code for programs, a sentence for a
 * user, a hint of what to do next, and data where the code defines some.
 */
export interface Error {
  code: Code;
  message: string;
  hint?: string;
  data?: unknown;
}

/** Empty is the params or result of a method that has none. */
export type Empty = Record<string, never>;

/**
 * HelloParams opens a connection. Role is "relay" (the extension through a shim) or
 * "cli" (any other client).
 */
export interface HelloParams {
  role: string;
  protocolMin: number;
  protocolMax: number;
  version: string;
  extensionId?: string;
  /** random, made once per Chrome profile, kept in chrome.storage.local */
  profile?: string;
  /**
   * Run is random, made once per start of the browser or of the extension, and kept
   * in chrome.storage.session. Ids of tabs are valid within one run of the browser
   * only: Chrome may give them to other tabs in the next.
   */
  run?: string;
  browser?: Browser;
}

/** Browser names the browser of a relay. */
export interface Browser {
  name: string;
  version: string;
  platform: string;
}

/** HelloResult answers a hello. */
export interface HelloResult {
  protocol: number;
  version: string;
  pid: number;
  /** of this broker process; a new one means the broker restarted */
  session: string;
}

/** ChannelParams names a panel's runtime port. */
export interface ChannelParams {
  chan: string;
}

/** TabParams names a tab by Chrome's id. */
export interface TabParams {
  tabId: number;
}

/**
 * CDPSendParams is one DevTools command. SessionID is a flat child session
 * (cross-site iframe), empty for the tab itself.
 */
export interface CDPSendParams {
  tabId: number;
  sessionId?: string;
  method: string;
  params?: unknown;
}

/**
 * CDPBatchParams are DevTools commands of one session that are sent in their
 * order, none waiting for the answer of the one before it.
 */
export interface CDPBatchParams {
  tabId: number;
  sessionId?: string;
  commands: CDPCommand[] | null;
}

/** CDPCommand is a command of CDPBatchParams. */
export interface CDPCommand {
  method: string;
  params?: unknown;
}

/**
 * CDPBatchResult comes when all commands are answered. It has no results: only
 * commands without a result are sent so.
 */
export interface CDPBatchResult {
  /**
   * Errors has the text of each command's error at the command's index, empty for
   * one that succeeded. It is absent if all did.
   */
  errors?: string[];
}

/** CDPEvent is one DevTools event. */
export interface CDPEvent {
  tabId: number;
  sessionId?: string;
  method: string;
  params?: unknown;
}

/** CDPDetached says that a tab is no longer attached, and Chrome's reason. */
export interface CDPDetached {
  tabId: number;
  reason: string;
}

/** DebugTarget is a row of chrome.debugger.getTargets. */
export interface DebugTarget {
  id: string;
  type: string;
  tabId?: number;
  attached: boolean;
  title: string;
  url: string;
}

/** TabInfo is a tab as chrome.tabs has it. */
export interface TabInfo {
  tabId: number;
  windowId: number;
  index: number;
  url: string;
  title: string;
  active: boolean;
  /** loading or complete */
  status?: string;
  discarded?: boolean;
  openerTabId?: number;
}

/**
 * TabReplaced says that Chrome put another tab in the place of one, with a page that
 * it had prerendered. If the new tab is a discarded one, the old tab is reported as
 * removed instead.
 */
export interface TabReplaced {
  /** of the tab that is there now */
  tabId: number;
  /** of the one that is gone */
  was: number;
}

/** TabsCreateParams opens a tab. */
export interface TabsCreateParams {
  url: string;
  active: boolean;
  windowId?: number;
  openerTabId?: number;
  /**
   * Group is the tab group to put the tab in: the window's group of this title and
   * colour, or a new one.
   */
  group?: TabGroup;
}

/** TabGroup names a tab group. */
export interface TabGroup {
  title: string;
  /** one of chrome.tabGroups.Color */
  color: string;
}

/** InjectParams asks for the extractor in every frame of a tab that lacks it. */
export interface InjectParams {
  tabId: number;
}

/**
 * FollowParams asks for the extractor in each new main document of a tab from now on.
 * Look, "summary", "list" or "tree", is the look that will probably be the first: it is begun
 * once the document has loaded. If Look is empty, none is.
 */
export interface FollowParams {
  tabId: number;
  look?: string;
}

/** InjectResult says in which frames the extractor runs now. */
export interface InjectResult {
  frames: InjectedFrame[] | null;
}

/** InjectedFrame is one frame by Chrome's integer frame id. */
export interface InjectedFrame {
  frameId: number;
  documentId: string;
}

/**
 * AttentionInfo is all that concerns the user in this browser now. Each replaces the
 * one before.
 */
export interface AttentionInfo {
  /** for the user's answer */
  waiting: WaitingInfo[] | null;
  /** the tabs that are worked in */
  working: number[] | null;
  /**
   * Expired are cards that were denied because nobody answered. A connection gets
   * each once, a new connection gets those of the last minutes again.
   */
  expired?: WaitingInfo[];
}

/**
 * WaitingInfo is a card or a question that waits. Its texts are those of the card,
 * which come from the page and the policy.
 */
export interface WaitingInfo {
  task: string;
  /** of the card or question, so that nobody is told twice */
  id: string;
  kind: string;
  tabId?: number;
  class?: string;
  /** the card's target, or the question */
  text: string;
  site?: string;
  amount?: string;
  /** Expires is when a card without an answer is denied, in Unix milliseconds. */
  expires?: number;
}

/** DownloadEvent is a download that began or changed. */
export interface DownloadEvent {
  id: number;
  url?: string;
  filename?: string;
  mime?: string;
  /** in_progress, interrupted, complete */
  state: string;
  bytes?: number;
  /** chrome.downloads.InterruptReason of an interrupted one, such as USER_CANCELED */
  error?: string;
}

/** RelayStatus tells a panel whether the host is there. */
export interface RelayStatus {
  connected: boolean;
  /** chrome.runtime.lastError, as it is */
  error?: string;
  /**
   * Older is the one that must be updated, host or extension, if they have no
   * protocol version in common.
   */
  older?: string;
}

/** OlderData is the data of the error of a hello whose versions do not fit. */
export interface OlderData {
  /** host, extension */
  older: string;
}

/** EventType is the kind of a numbered task event. */
export type EventType = "started" | "thinking" | "plan" | "tool_call" | "tool_result" | "progress" | "confirm_request" | "confirm_result" | "notify" | "ask" | "said" | "paused" | "resumed" | "steered" | "complete" | "failed" | "cancelled" | "queued" | "interrupted";

/**
 * Event is one entry of the stream that feeds panel, SSE, CLI and journal.
 * Seq counts per task from 1; Global counts per broker journal.
 */
export interface Event {
  task: string;
  seq: number;
  global: number;
  /** Unix milliseconds */
  time: number;
  type: EventType;
  text?: string;
  /** info, warn */
  level?: string;
  step?: StepInfo;
  confirm?: ConfirmInfo;
  error?: Error;
  usage?: UsageInfo;
  /** the whole plan as it stands now */
  plan?: PlanStep[];
  /** In has the text by language (en, zh), if Tabwright itself wrote it. */
  in?: Record<string, string>;
}

/** StepInfo is one action: before it (tool_call) and after it (tool_result). */
export interface StepInfo {
  /** from 1; below zero for hooks of a workflow's node */
  n: number;
  action: string;
  /** secrets already replaced */
  params?: unknown;
  /** one line in plain words: Clicked "Add to cart" on shop.test */
  line: string;
  /** button "Add to cart" */
  target?: string;
  site?: string;
  /** of the page on which the step was decided */
  url?: string;
  /** the gate's */
  level?: string;
  /** ok, error, denied, blocked, stopped_after, unknown */
  outcome?: string;
  /** what changed, in words */
  effect?: string;
  error?: Error;
  millis?: number;
  /** task.thumb has a picture of the page after it */
  thumb?: boolean;
  /** In has the line by language (en, zh). */
  in?: Record<string, string>;
}

/**
 * ConfirmInfo is a confirm card. Every text on it comes from the page and the
 * policy, never from the model.
 */
export interface ConfirmInfo {
  id: string;
  action: string;
  class: string;
  target: string;
  site: string;
  url: string;
  reasons: string[] | null;
  amount?: string;
  /** items, recipient, file, code: a line each */
  details?: string[];
  /** Yes has the words of the button that allows, by language (en, zh): "Pay $17.10". */
  yes?: Record<string, string>;
  /** the line of a list that the act is about, or the question that it answers */
  about?: string;
  /** the recipient of what is sent */
  to?: string;
  /** Unix milliseconds; 0 = the task's own limit */
  expires?: number;
  /** allow, deny, expired, void */
  answer?: string;
  /** panel, terminal, limit, stop, takeover, restart */
  by?: string;
  /** Remember offers to allow this class on this site from now on. */
  remember?: boolean;
  /**
   * Again is an act that may have been done already, and that this one would
   * do once more.
   */
  again?: DoubtInfo;
  /** In has the reasons by language (en, zh). */
  in?: Record<string, string[]>;
}

/**
 * DoubtInfo is an act that was interrupted after it began, and whose result the page
 * does not show.
 */
export interface DoubtInfo {
  action: string;
  target?: string;
  site?: string;
  /** the key that was pressed */
  key?: string;
  /** Unix milliseconds */
  started?: number;
}

/** UsageInfo counts a task's spending so far. */
export interface UsageInfo {
  inputTokens: number;
  outputTokens: number;
  steps: number;
  millis: number;
  /** The tokens of the requests that led to the last step. */
  stepInputTokens?: number;
  stepOutputTokens?: number;
  /**
   * InputRate and OutputRate are the tokens per second that the server read and wrote
   * for the newest reply, by its own measure; absent if it has none.
   */
  inputRate?: number;
  outputRate?: number;
  /**
   * Cost is the cost of the task so far, in the currency of the prices; absent where
   * no prices are set. A Local model costs nothing.
   */
  cost?: number;
  local?: boolean;
  /**
   * Way is how the model gave the last action (native, schema, markdown). Mode is
   * what it is shown: dom, hybrid (with pictures) or pointer (pictures alone).
   */
  way?: string;
  mode?: string;
}

/** DeltaEvent is streamed text that has not been finished yet. */
export interface DeltaEvent {
  task: string;
  /** text, reasoning, answer, retract */
  kind: string;
  text: string;
}

/** TaskStartParams starts a task. TabID 0 means: open a tab (at URL if given). */
export interface TaskStartParams {
  text: string;
  tabId?: number;
  url?: string;
  /** provider/name; empty = the configured one */
  model?: string;
  /** en, zh; empty = by the task's own words */
  lang?: string;
  /** Conversation is the id of the conversation that the task continues; empty: a new one. */
  conversation?: string;
  attach?: Attachment[];
  /**
   * With Queue the task waits while another works in the tab; without it that is the
   * error tab_busy.
   */
  queue?: boolean;
  /**
   * Schema is a JSON schema that the answer must fit; URLs are pages to read
   * for it. task.result then returns the answer with its sources.
   */
  schema?: unknown;
  urls?: string[];
  /**
   * Profile is the id of the browser to work in, or its beginning; empty: the panel's
   * own, or the one used last. Hosts are local hosts that may be opened.
   */
  profile?: string;
  hosts?: string[];
}

/** TaskParams names a task. */
export interface TaskParams {
  task: string;
}

/** SayParams carries a user's words into a task. */
export interface SayParams {
  task: string;
  text: string;
  /** Attach goes with the words. */
  attach?: Attachment[];
}

/** ConfirmAnswer answers a card. */
export interface ConfirmAnswer {
  task: string;
  id: string;
  allow: boolean;
  note?: string;
  /**
   * Remember allows the card's class on its site from now on, for a while. It
   * counts only where the card offered it.
   */
  remember?: boolean;
}

/**
 * GrantInfo is a rule for one site and class that was given by a click or a
 * command, and ends by itself.
 */
export interface GrantInfo {
  id: string;
  site: string;
  class: string;
  deny?: boolean;
  /** Unix milliseconds, as Expires */
  created: number;
  expires: number;
  /** panel, command line */
  by?: string;
}

/** GrantRef names a grant. */
export interface GrantRef {
  id: string;
}

/** PolicyInfo is the user's policy as it stands. */
export interface PolicyInfo {
  preset: string;
  /** why the file is not in force; the careful preset then is */
  fault?: string;
  grants: GrantInfo[] | null;
}

/**
 * SubscribeParams asks for a task's events after number Seq, with those to come. With
 * an empty Task they are those of all tasks, and Seq is a broker-wide number.
 */
export interface SubscribeParams {
  task?: string;
  seq: number;
}

/** Subscribed answers a subscription. */
export interface Subscribed {
  replayed: number;
}

/** TaskState is where a task stands. */
export type TaskState = "queued" | "running" | "confirming" | "asking" | "paused" | "done" | "failed" | "cancelled" | "interrupted";

/** TaskInfo is a task at a glance. */
export interface TaskInfo {
  task: string;
  text: string;
  state: TaskState;
  model: string;
  /** session: a program's, without a model; empty: a task */
  kind?: string;
  tabId?: number;
  seq: number;
  started: number;
  /** when its newest event was written */
  updated?: number;
  /** Conversation is the id of the conversation that it belongs to. */
  conversation?: string;
  /** Resumable says that task.resume can take an interrupted task up again. */
  resumable?: boolean;
  /** Way and Mode are those of its UsageInfo. */
  way?: string;
  mode?: string;
}

/** TaskList is the newest tasks first. */
export interface TaskList {
  tasks: TaskInfo[] | null;
}

/** ModelInfo is one model that can be used, or a provider that can't be reached. */
export interface ModelInfo {
  /** provider/name */
  id: string;
  local: boolean;
  /** a script, not a model */
  standIn?: boolean;
  tools: boolean;
  vision: boolean;
  thinks?: boolean;
  /** tokens of the window that is used */
  context?: number;
  /** MaxContext is the most tokens that the model takes, if that is more. */
  maxContext?: number;
  /** For Ollama's models: bytes on disk, and parameters and quantization as it writes them. */
  size?: number;
  parameters?: string;
  quantization?: string;
  /**
   * Recommended is true for at most one model of Ollama. Problem is why the model can't
   * work.
   */
  recommended?: boolean;
  problem?: Error;
  /**
   * Way and Mode are set for the model in use alone: how it would be asked for an
   * action, and dom, hybrid or pointer.
   */
  way?: string;
  mode?: string;
  /** Learned is what did not work with it: ways to an action, vision. */
  learned?: string[];
}

/** ModelRef names a model. */
export interface ModelRef {
  id: string;
}

/**
 * ModelList is the models that can be used now. Error says why none can, and its hint
 * what to do about it.
 */
export interface ModelList {
  models: ModelInfo[] | null;
  using?: string;
  error?: Error;
  /** Suggested is a model to pull for this machine, where the provider is Ollama. */
  suggested?: string;
}

/** PanelState is what a panel needs to draw itself. */
export interface PanelState {
  version: string;
  /**
   * Extension is the version of the extension that the host carries, to
   * compare with the one that runs.
   */
  extension?: string;
  tasks: TaskInfo[] | null;
  models: ModelList;
  lang: string;
  /** the tour can be offered */
  tour: boolean;
}

/** TourInfo is the bundled shop, started for the tour. */
export interface TourInfo {
  url: string;
  /** the words the tour suggests */
  task: string;
  /** what shuffled the shop */
  seed: number;
  /** the stand-in model's id */
  model: string;
}

/** BrokerStatus is what doctor and status show. */
export interface BrokerStatus {
  version: string;
  pid: number;
  socket: string;
  binary: string;
  started: number;
  relays: RelayInfo[] | null;
  running: number;
}

/** ProfileParams names a connected browser profile. */
export interface ProfileParams {
  profile: string;
}

/**
 * StopParams stops running tasks too, with Force. Without it a broker with running
 * tasks refuses.
 */
export interface StopParams {
  force?: boolean;
}

/** RelayInfo is one connected browser profile. */
export interface RelayInfo {
  profile: string;
  extensionId: string;
  version: string;
  browser: Browser;
  connected: number;
  shimPid?: number;
  shimBinary?: string;
  /**
   * PingError is the error of a ping that the service worker was just sent, empty if
   * it answered.
   */
  pingError?: string;
}

/** SessionOpenParams asks for a session. */
export interface SessionOpenParams {
  /** a session of that name is joined; empty: one of this connection's own, which ends with it */
  name: string;
  /** who asks, for the user to read */
  client?: string;
  /** only join, never open */
  join?: boolean;
  /** chrome or empty: the connected browser that was heard from last; its id; own or own:NAME */
  profile?: string;
  /** ask, deny, allow (launched only); default ask */
  confirm?: string;
  /** en, zh */
  lang?: string;
  /** local hosts and networks that may be opened */
  hosts?: string[];
  /** start a browser of its own, which the broker ends with the session; with an own profile: how to start it */
  launch?: SessionLaunch;
  /**
   * CDP joins a running browser at its DevTools address, http:// or ws://, which
   * the session leaves running at its end.
   */
  cdp?: string;
  /**
   * Isolated gives the session cookies and storage of its own, in a browser
   * that the host launched or joined.
   */
  isolated?: boolean;
}

/** SessionLaunch is a browser to start. */
export interface SessionLaunch {
  headless?: boolean;
  /** the binary; empty: the one that is found */
  browser?: string;
  /** for the browser */
  args?: string[];
  /** NAME=value, such as the display for its window */
  env?: string[];
}

/** SessionInfo is a session at a glance. */
export interface SessionInfo {
  session: string;
  /** its entry among the tasks */
  task: string;
  client?: string;
  /** of the connected browser, or own or own:NAME */
  profile?: string;
  browser?: string;
  launched?: boolean;
  isolated?: boolean;
  /** by the user */
  paused?: boolean;
  /** its tabs in the user's browser */
  tabs?: number[];
  /** just opened */
  new?: boolean;
  /** Unix milliseconds */
  started: number;
}

/** SessionDoParams is one action. */
export interface SessionDoParams {
  session: string;
  action: string;
  params?: unknown;
  /**
   * With Explain nothing is done: the result says how the gate judges the action, and
   * why.
   */
  explain?: boolean;
  /**
   * ConfirmationID repeats a call that needed a confirmation, and waits for
   * its answer.
   */
  confirmationId?: string;
}

/** SessionObserveParams asks for a look at the page. */
export interface SessionObserveParams {
  session: string;
  /** with the list of elements */
  full?: boolean;
  /** tokens that the text may take */
  budget?: number;
}

/** SessionResult is what came of an action or a look. */
export interface SessionResult {
  action: string;
  /** compact, for a model */
  text: string;
  /** in plain words, for a user */
  line: string;
  target?: string;
  site?: string;
  effect?: string;
  /** where the act led: "address", "same" (an address whose page shows nothing new), "document", "file" */
  destination?: string;
  /** ref of the part of the page that changed, if that is too much for Effect */
  part?: string;
  data?: unknown;
  /** base64 */
  image?: string;
  mime?: string;
  pageRev: number;
  url?: string;
  /** further remarks; Text has them too */
  notes?: string[];
  error?: Error;
  /** the question, with needs_confirmation */
  confirm?: ConfirmInfo;
  /** Profile and Browser are where the session is, in its first result. */
  profile?: string;
  browser?: string;
}

/** SessionAnswerParams answers the open question of a launched browser's session. */
export interface SessionAnswerParams {
  session: string;
  confirmationId: string;
  allow: boolean;
  /** why not */
  note?: string;
}

/** SessionCloseParams ends a session. */
export interface SessionCloseParams {
  session: string;
  /** close its tabs too */
  tabs?: boolean;
}

/** SessionList is the open sessions. */
export interface SessionList {
  sessions: SessionInfo[] | null;
}

/** SessionTabParams names a session and a tab of the user's. */
export interface SessionTabParams {
  session: string;
  tabId: number;
}

/** ProfileInfo is a browser profile that a session can work in. */
export interface ProfileInfo {
  /** as --profile takes it */
  profile: string;
  /** chrome or own */
  kind: string;
  browser?: Browser;
  running: boolean;
  headless?: boolean;
  /** chrome now names this one */
  last?: boolean;
  sessions?: number;
  /** folder of an own one */
  path?: string;
}

/** ProfileList is the profiles, the user's browsers first. */
export interface ProfileList {
  profiles: ProfileInfo[] | null;
}

/**
 * ProfileRemoveParams names an own profile whose folder is removed, with its cookies
 * and history.
 */
export interface ProfileRemoveParams {
  /** own or own:NAME */
  profile: string;
}

/** ConvListParams asks for conversations. */
export interface ConvListParams {
  /** words in the title, the tasks or the answers, in any case */
  query?: string;
  /** 0: 50; at most 200 */
  limit?: number;
}

/** ConvList is conversations at a glance. */
export interface ConvList {
  conversations: ConvInfo[] | null;
  /** that fit the query */
  total: number;
}

/** ConvInfo is a conversation. Tasks is set only where one conversation was asked for. */
export interface ConvInfo {
  conversation: string;
  /** the user's, or the first words of the first task */
  title: string;
  /** of the newest task */
  state: TaskState;
  updated: number;
  /** of tasks */
  count: number;
  sites?: string[];
  /** where the query was found */
  excerpt?: string;
  tasks?: TaskInfo[];
}

/** ConvRef names a conversation. */
export interface ConvRef {
  conversation: string;
}

/** ConvRenameParams gives a conversation a title; an empty one removes the user's. */
export interface ConvRenameParams {
  conversation: string;
  title: string;
}

/** ConvExportParams asks for a conversation as a file. */
export interface ConvExportParams {
  conversation: string;
  /** md, json */
  format: string;
}

/** Exported is a file's content. */
export interface Exported {
  name: string;
  mime: string;
  text: string;
}

/**
 * Attachment goes with the words of a task. Text selected on a page, pictures of
 * it, and the content of a file are data, never instructions. A file with neither
 * text nor picture is for uploads only.
 */
export interface Attachment {
  /** selection, screenshot, file */
  kind: string;
  /** of a file */
  name?: string;
  /** the page it was taken from */
  url?: string;
  /** a selection, or what a file of text says */
  text?: string;
  mime?: string;
  /** base64: a picture, or a file that may be uploaded in this task */
  data?: string;
  /** Picture is what a model sees of a file that is a picture: a JPEG in base64. */
  picture?: string;
}

/** PlanStep is one line of a task's plan. */
export interface PlanStep {
  text: string;
  state: string;
}

/** PlanEditParams is the plan as the user wants it. */
export interface PlanEditParams {
  task: string;
  plan: PlanStep[] | null;
}

/** StepRef names a step of a task. */
export interface StepRef {
  task: string;
  step: number;
}

/** Picture is an image. */
export interface Picture {
  mime: string;
  /** base64 */
  data: string;
}

/** Setting is one of the settings, as it stands. */
export interface Setting {
  /** as in the file */
  name: string;
  /** as it would be written there; empty: the default */
  value: string;
  default?: string;
  /** default, file, env, flag */
  source: string;
  /** the environment or a flag sets it: the file has no effect */
  fixed?: boolean;
  /** the allowed values, if they are limited */
  choices?: string[];
  help?: string;
}

/** SettingsInfo is the settings of a user. */
export interface SettingsInfo {
  file: string;
  settings: Setting[] | null;
  keys: KeyInfo[] | null;
}

/**
 * SettingsSetParams changes settings by their names in the file; an empty value
 * removes a setting from it.
 */
export interface SettingsSetParams {
  values: Record<string, string> | null;
}

/** KeyParams is a provider's key; Key is empty where one is removed. */
export interface KeyParams {
  provider: string;
  key?: string;
}

/** KeyInfo says whether a provider has a key, and never the key itself. */
export interface KeyInfo {
  provider: string;
  /** the provider takes no request without one */
  needed: boolean;
  /** stored, env; empty: there is none */
  source?: string;
  /** where a user gets one */
  console?: string;
}

/** ModelCheck is what a model can do, as a check of it found. */
export interface ModelCheck {
  id: string;
  checks: CheckLine[] | null;
  /** the best way to get an action from it */
  way?: string;
}

/** PullInfo is a model that the server pulls, or has pulled. */
export interface PullInfo {
  name: string;
  /** running, done, failed, stopped */
  state: string;
  /** what the server does, in its words */
  status?: string;
  /** bytes */
  done?: number;
  total?: number;
  error?: Error;
}

/** PullList is the pulls, ended ones too, the newest last. */
export interface PullList {
  pulls: PullInfo[] | null;
}

/**
 * WarmParams says in which language the task is likely to be: en, zh; empty: the
 * configured one.
 */
export interface WarmParams {
  lang?: string;
}

/** CheckLine is one thing that was tried. */
export interface CheckLine {
  /** names what was tried, the same in every language */
  id?: string;
  name: string;
  ok: boolean;
  /** it works, and something about it is worth knowing */
  warning?: boolean;
  skipped?: boolean;
  message?: string;
  hint?: string;
  /** id of what doctor.fix can do about it */
  fix?: string;
  /**
   * Say names what a check of the doctor found, the same in every language; Args are
   * the values in the sentence.
   */
  say?: string;
  args?: string[];
}

/** PolicyGrantParams allows or denies a class on a site, for a while. */
export interface PolicyGrantParams {
  site: string;
  class: string;
  deny?: boolean;
  /** 0: as long as a click in a card gives */
  days?: number;
}

/** DoctorReport is the health of an installation. */
export interface DoctorReport {
  /** of the host */
  version: string;
  checks: CheckLine[] | null;
}

/**
 * RefusedData is the data of an error that refuses settings or a key. Settings has the
 * sentence for each by its name (key.PROVIDER for a key), Say its kind and values.
 */
export interface RefusedData {
  settings: Record<string, string> | null;
  say?: Record<string, SaidOf>;
}

/**
 * SaidOf is a sentence for a client that has its own words for it: its kind, and the
 * values in it.
 */
export interface SaidOf {
  say: string;
  args?: string[];
}

/** FaultData is the data of an error of CodeSettings: the fix of doctor.fix for it. */
export interface FaultData {
  fix?: string;
}

/** DoctorFixParams names a fix of the report. */
export interface DoctorFixParams {
  fix: string;
}

/** FlowState is where a workflow stands. */
export type FlowState = "running" | "paused" | "done" | "failed" | "cancelled" | "interrupted";

/** NodeState is where a node of a workflow stands. */
export type NodeState = "waiting" | "running" | "done" | "failed" | "skipped";

/**
 * FlowRunParams starts a workflow from one of these: File, a graph as YAML; Saved, the
 * id of a kept one; Text, a sentence from which the model makes a graph.
 */
export interface FlowRunParams {
  text?: string;
  file?: string;
  /** page to begin at */
  url?: string;
  /** provider/name; empty: the configured one */
  model?: string;
  lang?: string;
  /** nodes at a time, 1 to 4; 0: as the file says, or 2 */
  parallel?: number;
  /** Saved is the id of a kept workflow, Values are the values of its parameters. */
  saved?: string;
  values?: Record<string, string>;
  /** With Hold nothing of it runs before workflow.resume. */
  hold?: boolean;
}

/** FlowRef names a workflow. */
export interface FlowRef {
  flow: string;
}

/**
 * FlowModifyParams changes a workflow by a sentence. With File the graph is
 * taken from there, and no model is asked.
 */
export interface FlowModifyParams {
  flow: string;
  text?: string;
  file?: string;
}

/**
 * FlowSaveParams asks for one of these as a file: a workflow as it stands, a finished
 * task as a recording, or what is kept as Saved.
 */
export interface FlowSaveParams {
  flow?: string;
  task?: string;
  saved?: string;
}

/** FlowRestoreParams resumes a saved workflow. With Hold it begins paused. */
export interface FlowRestoreParams {
  file: string;
  hold?: boolean;
}

/** FlowNode is a node of a workflow. */
export interface FlowNode {
  id: string;
  /** the task in words */
  text: string;
  needs?: string[];
  state: NodeState;
  /** 0: needs no other; else one more than the highest level it needs */
  level: number;
  /** that runs or ran it */
  task?: string;
  /** its answer, or why it failed; shortened */
  note?: string;
  /** its task waits for the user */
  asks?: boolean;
  /** where it failed */
  error?: Error;
  /** Unix milliseconds */
  began?: number;
  /** Unix milliseconds */
  ended?: number;
}

/** FlowInfo is a workflow as it stands. */
export interface FlowInfo {
  flow: string;
  title: string;
  state: FlowState;
  nodes: FlowNode[] | null;
  parallel: number;
  /** grows with each change */
  rev: number;
  started: number;
  updated: number;
  error?: Error;
}

/** FlowList is the workflows that are kept. */
export interface FlowList {
  flows: FlowInfo[] | null;
}

/** TraceParams asks for a task's trace. */
export interface TraceParams {
  task: string;
  /** html, json */
  format: string;
}

/**
 * TaskResult is the structured result of a task. Sources has an entry for each
 * value of Data, named by its JSON pointer.
 */
export interface TaskResult {
  data: unknown;
  sources: ValueSource[] | null;
}

/**
 * ValueSource says where a value of a result was read. URL is empty if no page that
 * was read has the value. Unchecked is true for booleans and nulls, which are not
 * looked for on pages.
 */
export interface ValueSource {
  /** JSON pointer: /founders/0/name */
  path: string;
  url?: string;
  title?: string;
  unchecked?: boolean;
}

/** SavedFlow is a kept workflow, at a glance. */
export interface SavedFlow {
  id: string;
  name: string;
  kind: string;
  goal?: string;
  /** where it begins */
  url?: string;
  params?: SavedParam[];
  /** steps of a recording, nodes of a graph */
  parts: number;
  /** Unix milliseconds */
  updated: number;
  /** why its file can't be used */
  error?: Error;
}

/** SavedParam is a value that differs from run to run. */
export interface SavedParam {
  name: string;
  default?: string;
  about?: string;
  /** Secret takes a placeholder of the vault only: {{secret:name}}. */
  secret?: boolean;
}

/** SavedList is the kept workflows. */
export interface SavedList {
  saved: SavedFlow[] | null;
}

/**
 * SavedKeepParams keeps one of these: a finished task as a recording, a workflow
 * without its results, or the text of a file.
 */
export interface SavedKeepParams {
  task?: string;
  flow?: string;
  file?: string;
  /** empty: the file's own */
  name?: string;
}

/** SavedRenameParams gives a kept workflow another name. */
export interface SavedRenameParams {
  id: string;
  name: string;
}

/** SavedRef names a kept workflow. */
export interface SavedRef {
  id: string;
}

/** ReplayParams replays a kept recording. TabID 0: in a tab of its own. */
export interface ReplayParams {
  id: string;
  /** of its parameters; those left out have their default */
  values?: Record<string, string>;
  tabId?: number;
  conversation?: string;
}

/** What each method takes and gives, by its name on the wire. */
export interface Methods {
  "hello": { params: HelloParams; result: HelloResult };
  "cdp.attach": { params: TabParams; result: Empty };
  "cdp.detach": { params: TabParams; result: Empty };
  "cdp.send": { params: CDPSendParams; result: unknown };
  "cdp.batch": { params: CDPBatchParams; result: CDPBatchResult };
  "cdp.targets": { params: Empty; result: DebugTarget[] };
  "tabs.list": { params: Empty; result: TabInfo[] };
  "tabs.get": { params: TabParams; result: TabInfo };
  "tabs.create": { params: TabsCreateParams; result: TabInfo };
  "tabs.activate": { params: TabParams; result: Empty };
  "tabs.remove": { params: TabParams; result: Empty };
  "scripting.inject": { params: InjectParams; result: InjectResult };
  "scripting.follow": { params: FollowParams; result: Empty };
  "extension.reload": { params: Empty; result: Empty };
  "ping": { params: Empty; result: Empty };
  "panel.state": { params: Empty; result: PanelState };
  "task.start": { params: TaskStartParams; result: TaskInfo };
  "task.stop": { params: TaskParams; result: Empty };
  "task.list": { params: Empty; result: TaskList };
  "task.subscribe": { params: SubscribeParams; result: Subscribed };
  "task.unsubscribe": { params: TaskParams; result: Empty };
  "task.say": { params: SayParams; result: Empty };
  "task.pause": { params: TaskParams; result: Empty };
  "task.resume": { params: TaskParams; result: Empty };
  "confirm.answer": { params: ConfirmAnswer; result: Empty };
  "policy.show": { params: Empty; result: PolicyInfo };
  "policy.revoke": { params: GrantRef; result: PolicyInfo };
  "models.list": { params: Empty; result: ModelList };
  "models.use": { params: ModelRef; result: Empty };
  "tour.start": { params: Empty; result: TourInfo };
  "broker.status": { params: Empty; result: BrokerStatus };
  "broker.stop": { params: StopParams; result: Empty };
  "broker.attach": { params: ProfileParams; result: Empty };
  "session.open": { params: SessionOpenParams; result: SessionInfo };
  "session.do": { params: SessionDoParams; result: SessionResult };
  "session.observe": { params: SessionObserveParams; result: SessionResult };
  "session.answer": { params: SessionAnswerParams; result: Empty };
  "session.close": { params: SessionCloseParams; result: Empty };
  "session.list": { params: Empty; result: SessionList };
  "session.hand": { params: SessionTabParams; result: Empty };
  "session.take": { params: SessionTabParams; result: Empty };
  "profile.list": { params: Empty; result: ProfileList };
  "profile.remove": { params: ProfileRemoveParams; result: Empty };
  "conversation.list": { params: ConvListParams; result: ConvList };
  "conversation.show": { params: ConvRef; result: ConvInfo };
  "conversation.rename": { params: ConvRenameParams; result: ConvInfo };
  "conversation.delete": { params: ConvRef; result: Empty };
  "conversation.export": { params: ConvExportParams; result: Exported };
  "task.takeOver": { params: TaskParams; result: Empty };
  "task.editPlan": { params: PlanEditParams; result: Empty };
  "task.thumb": { params: StepRef; result: Picture };
  "settings.show": { params: Empty; result: SettingsInfo };
  "settings.set": { params: SettingsSetParams; result: SettingsInfo };
  "key.set": { params: KeyParams; result: SettingsInfo };
  "key.remove": { params: KeyParams; result: SettingsInfo };
  "models.check": { params: ModelRef; result: ModelCheck };
  "models.forget": { params: ModelRef; result: Empty };
  "models.pull": { params: ModelRef; result: PullList };
  "models.pulls": { params: Empty; result: PullList };
  "models.pullStop": { params: ModelRef; result: PullList };
  "models.warm": { params: WarmParams; result: Empty };
  "policy.grant": { params: PolicyGrantParams; result: PolicyInfo };
  "doctor.run": { params: Empty; result: DoctorReport };
  "doctor.fix": { params: DoctorFixParams; result: DoctorReport };
  "workflow.run": { params: FlowRunParams; result: FlowInfo };
  "workflow.list": { params: Empty; result: FlowList };
  "workflow.show": { params: FlowRef; result: FlowInfo };
  "workflow.pause": { params: FlowRef; result: FlowInfo };
  "workflow.resume": { params: FlowRef; result: FlowInfo };
  "workflow.stop": { params: FlowRef; result: FlowInfo };
  "workflow.modify": { params: FlowModifyParams; result: FlowInfo };
  "workflow.save": { params: FlowSaveParams; result: Exported };
  "workflow.restore": { params: FlowRestoreParams; result: FlowInfo };
  "task.trace": { params: TraceParams; result: Exported };
  "task.result": { params: TaskParams; result: TaskResult };
  "saved.list": { params: Empty; result: SavedList };
  "saved.keep": { params: SavedKeepParams; result: SavedFlow };
  "saved.rename": { params: SavedRenameParams; result: SavedFlow };
  "saved.remove": { params: SavedRef; result: SavedList };
  "saved.replay": { params: ReplayParams; result: TaskInfo };
}

/** What each event carries, by its name on the wire. */
export interface Events {
  "channel.open": ChannelParams;
  "channel.close": ChannelParams;
  "cdp.event": CDPEvent;
  "cdp.detached": CDPDetached;
  "tabs.created": TabInfo;
  "tabs.updated": TabInfo;
  "tabs.removed": TabParams;
  "tabs.replaced": TabReplaced;
  "tabs.activated": TabParams;
  "downloads.event": DownloadEvent;
  "relay.attention": AttentionInfo;
  "relay.status": RelayStatus;
  "relay.retry": Empty;
  "task.event": Event;
  "task.delta": DeltaEvent;
  "task.changed": TaskInfo;
  "workflow.changed": FlowInfo;
}
