internal import PortolanApp
internal import PortolanJobs

/// What a synchronization has done, as people read it.
enum SyncText {
  /// What it has done, in one line.
  static func sentence(_ job: Job) -> String {
    let result = SyncModel.Outcome(of: job) ?? SyncModel.Outcome()
    let received = [
      (result.added, "added"), (result.updated, "changed"), (result.removed, "removed"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let parts = [
      result.sent == 0 ? nil : edits(result.sent) + " sent",
      received.isEmpty ? nil : "received " + received.joined(separator: ", "),
    ].compactMap(\.self)
    var text = "\"\(job.title)\" is synchronized"
    text += parts.isEmpty ? "; nothing had changed." : ": \(parts.joined(separator: "; "))."
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

  /// What it has done, and which layers it could not synchronize.
  static func blocks(_ job: Job) -> [TextDocument.Block] {
    let done: TextDocument.Block = .paragraph(sentence(job), indent: 0)
    guard job.state == .succeededInPart else { return [done] }
    return [done, .line("Not synchronized:")] + JobText.failures(of: job)
  }

  private static func edits(_ count: Int) -> String { count == 1 ? "1 edit" : "\(count) edits" }
}
