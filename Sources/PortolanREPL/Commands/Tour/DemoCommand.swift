internal import Foundation
internal import PortolanApp

/// Takes a map offline before people's eyes, so that they see in a minute what there is.
struct DemoCommand: Command {
  static let sample = Parameter.flag(
    "sample", "Walk through the sample package instead, with no network at all.")

  static let declaration = CommandDeclaration(
    "demo", summary: "Take a map offline, cut the network, and use it.", topic: .shell,
    parameters: [sample],
    discussion: [
      "A portal is started on this machine, with a map of the coast and the woods of Maine. An area "
        + "of it is downloaded, the portal is ended, and the area is used without. Each step is a "
        + "command that works on your own portal and maps too.",
      "The tour keeps to a folder of its own and removes it at the end, so that nothing of yours is "
        + "touched. --sample walks through the sample package, which stays in the home folder.",
    ],
    examples: [
      .init("demo", "from a portal to a map without one"),
      .init("demo --sample", "three maps, all kinds of symbols, charts and attachments"),
    ])

  private let showsSample: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    showsSample = arguments.isSet(Self.sample)
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    showsSample ? try await showSample(in: session) : try await takeOffline(in: session)
  }

  @MainActor private func showSample(in session: Session) async throws -> CommandResult {
    guard let sample = session.sample else {
      throw Failure(.notIncluded, "This build comes without the sample.")
    }
    let url = try await sample.package()
    let steps = TourStep.sample(at: url.path(percentEncoded: false))
    return try await Script(steps, in: session).run(in: session)
  }

  @MainActor private func takeOffline(in session: Session) async throws -> CommandResult {
    try session.refuseOptions(ignoredBy: "\"demo\"", "Leave it out.")
    guard let tour = session.tour else {
      throw Failure(.notIncluded, "This build comes without the demo portal.")
    }
    let stage = try await tour.begin()
    do {
      let result = try await play(on: stage, session)
      await stage.end()
      session.presenter.note("That was the tour; nothing of it is left on this machine.")
      return result
    } catch {
      await stage.end()
      throw error
    }
  }

  @MainActor private func play(
    on stage: any TourStage, _ session: Session
  ) async throws -> CommandResult {
    var options = session.options
    options.portal = stage.portal
    let onStage = Session(
      console: session.console, options: options, app: stage.app, account: stage.account)
    let steps = TourStep.offline(webMap: stage.webMap, canAsk: session.console.canAsk)
    let script = Script(steps, in: onStage) { step in
      if step.cutsNetwork { await stage.cutNetwork() }
    }
    return try await script.run(in: onStage)
  }
}
