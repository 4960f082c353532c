internal import PortolanApp
internal import PortolanFeatures
internal import PortolanJobs

/// The results of a synchronization, as text.
enum SyncText {
  /// The result, in one line.
  static func sentence(_ job: Job) -> String {
    let result = SyncModel.Outcome(of: job) ?? SyncModel.Outcome()
    var text = "\"\(job.title)\" is synchronized"
    // Others may have changed what is not exchanged yet.
    let nothing = result.isComplete ? "nothing had changed" : "nothing was sent or received"
    text += exchanged(result).map { ": \($0)." } ?? "; \(nothing)."
    if result.isRegisteredAgain {
      text += " A service no longer had this replica, so it was registered again."
    }
    if result.waiting > 0 {
      text += " \(edits(result.waiting)) \(result.waiting == 1 ? "waits" : "wait") for a decision; "
      text += "\"conflicts\" lists \(result.waiting == 1 ? "it" : "them")."
    }
    if result.staying > 0 {
      text +=
        " \(edits(result.staying)) \(result.staying == 1 ? "stays" : "stay") here: this map was "
      text += "taken offline without sending \(result.staying == 1 ? "it" : "them")."
    }
    if result.withheld > 0 {
      let features = result.withheld == 1 ? "1 feature" : "\(result.withheld) features"
      text += " \(features) of others cannot be stored in this copy, and "
      text += result.withheld == 1 ? "is" : "are"
      text += " tried again next time; \"conflicts\" says why."
    }
    return text
  }

  /// The edits that an unfinished synchronization has exchanged, after a sentence about that; empty
  /// for none.
  static func rest(_ job: Job) -> String {
    SyncModel.Outcome(of: job).flatMap(exchanged).map { " Before that: \($0)." } ?? ""
  }

  /// The amount sent and received; `nil` for nothing.
  private static func exchanged(_ result: SyncModel.Outcome) -> String? {
    let received = [
      (result.added, "added"), (result.updated, "changed"), (result.removed, "removed"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let attachments =
      result.receivedAttachments == 0
      ? "" : " (attachments among them: \(result.receivedAttachments))"
    let parts = [
      result.sent == 0 ? nil : sent(result).text + " sent",
      received.isEmpty ? nil : "received " + received.joined(separator: ", ") + attachments,
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// The result, and the layers that could not be synchronized.
  static func blocks(_ job: Job) -> [TextDocument.Block] {
    let done: TextDocument.Block = .paragraph(sentence(job), indent: 0)
    guard job.state == .succeededInPart else { return [done] }
    let waits = job.failedItems.contains { $0.failure.kind == .signIn }
    let advice =
      "Sign in with \(JobText.signIn); \"retry \(JobPage.shortID(job))\" synchronizes the rest."
    return [done, .line("Not synchronized:")] + JobText.failures(of: job)
      + (waits ? [.paragraph(advice, indent: 0)] : [])
  }

  /// The edits that services have received, as "changes" counts them.
  private static func sent(_ result: SyncModel.Outcome) -> EditCount {
    EditCount(
      features: result.sent - result.sentAttachments, attachments: result.sentAttachments)
  }

  private static func edits(_ count: Int) -> String { count == 1 ? "1 edit" : "\(count) edits" }
}
