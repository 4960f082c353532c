internal import Foundation
internal import PortolanApp

/// Serves a portal on this machine until it is interrupted.
struct DemoPortalCommand: Command {
  static let port = Parameter.option(
    "port", "N", "The port to listen on; a free one unless given.")
  static let https = Parameter.flag(
    "https", "Speak HTTPS, with a certificate made at the start.")
  static let seed = Parameter.option(
    "seed", "N", "The seed of the ids of its items; 1 unless given.")
  static let certificate = Parameter.option(
    "certificate", "FILE", "Write the certificate there, for programs that should trust it.",
    completion: .file)

  static let declaration = CommandDeclaration(
    "demo-portal", summary: "Serve a portal on this machine, for trying out and for tests.",
    topic: .portal, parameters: [port, https, seed, certificate],
    discussion: [
      "The portal answers as ArcGIS Online does. It hosts the web map \"Explore Maine\" with its "
        + "offline areas, some forty mobile map packages, feature, tile and geocode services, and "
        + "has faults on demand. Everything on it is invented or comes with Portolan.",
      "The address is the first line on standard output. The portal is served until Ctrl-C, which "
        + "ends the command with status 130. It can be reached from this machine only.",
    ],
    examples: [
      .init("demo-portal --port 7070", "an address that stays the same"),
      .init("demo-portal --https --certificate demo.pem", "for programs that insist on HTTPS"),
    ])

  private let parameters: DemoPortalParameters
  private let certificate: URL?

  init(parsing arguments: Arguments) throws(UsageError) {
    let port = try arguments.value(of: Self.port, as: .integer(in: 0...65_535)) ?? 0
    let seed = try arguments.value(of: Self.seed, as: .integer(in: 0...Int.max)) ?? 1
    certificate = try arguments.value(of: Self.certificate, as: .file)
    let isSecure = arguments.isSet(Self.https)
    guard certificate == nil || isSecure else {
      throw UsageError("--certificate needs --https.")
    }
    parameters = DemoPortalParameters(
      port: UInt16(clamping: port), isSecure: isSecure, seed: UInt64(seed))
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    guard let starter = session.demoPortal else {
      throw Failure(.notIncluded, "This build comes without the demo portal.")
    }
    let portal = try await starter.start(parameters)
    do {
      try announce(portal.information, in: session)
      try await portal.prepare()
      // A portal ends when its command is cancelled, and not before.
      while true { try await Task.sleep(for: .seconds(3600)) }
    } catch is CancellationError {
      await portal.stop()
      return .servedUntilInterrupted
    } catch {
      await portal.stop()
      throw error
    }
  }

  @MainActor private func announce(
    _ information: DemoPortalInformation, in session: Session
  ) throws {
    if let certificate, let text = information.certificate {
      try Data(text.utf8).write(to: certificate)
    }
    try session.presenter.present(
      CommandResult(
        text: TextDocument(information.url.absoluteString), json: information.json))
    for line in information.notes { session.presenter.note(line) }
  }
}

extension DemoPortalInformation {
  fileprivate var notes: [String] {
    let people = accounts.map { "  \($0.username) / \($0.password)  \($0.purpose)" }
    let address = url.absoluteString
    let python = [
      "With Esri's Python package:",
      "  from arcgis.gis import GIS",
      "  gis = GIS(\"\(address)\", \"demo\", \"demo\", verify_cert=False)",
    ]
    return ["Sign in as:"] + people + ["Faults: POST to \(faultsURL.absoluteString)"]
      + (url.scheme == "https" ? python : []) + ["Ctrl-C ends it."]
  }
}
