import DemoPortal
import Foundation
import PortolanJobs
import PortolanLibrary
import PortolanTransport

extension FaultRow {
  static let device: [FaultRow] = [
    FaultRow(
      .device, "there is no network", .waitsForNetwork, "A network is missing.",
      heal: { $0.monitor.set(.online(isMetered: nil)) },
      arrange: { $0.monitor.set(.offline(.notConnected)) }),
    FaultRow(
      .device, "the disk is nearly full", .waitsForSpace, "1115627 bytes are missing.",
      heal: { $0.setFree(nil) }, arrange: { $0.setFree(1_000) }),
    FaultRow(
      .device, "the folder for downloads is not writable", .failed(.device),
      "staging cannot be written.", heal: Self.putStaging, arrange: Self.takeStaging),
    FaultRow(.areaItem, "the clock is set back by a day while it waits", .stored) { bed in
      try await Self.busyOnce(bed)
      bed.clock.jump(bySeconds: -86_400)
    },
    FaultRow(.areaItem, "the clock is set forward by a year while it waits", .stored) { bed in
      try await Self.busyOnce(bed)
      bed.clock.jump(bySeconds: 86_400 * 365)
    },
  ]

  /// Makes one run of a job fail.
  private static func busyOnce(_ bed: FaultBed) async throws {
    await bed.state.add(
      DemoFault(.status(503, retryAfter: nil), path: FaultPhase.areaItem.path, count: 4))
  }

  /// Puts a link to where not even the superuser may write in the place of the folder.
  private static let takeStaging: Act = { bed in
    let staging = bed.layout.folder(.staging)
    try FileManager.default.removeItem(at: staging)
    try FileManager.default.createSymbolicLink(
      atPath: staging.path(percentEncoded: false).trimmingSuffix("/"),
      withDestinationPath: "/proc/self/task")
  }

  private static let putStaging: Act = { bed in
    let staging = bed.layout.folder(.staging)
    try FileManager.default.removeItem(
      atPath: staging.path(percentEncoded: false).trimmingSuffix("/"))
    try bed.layout.prepare()
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
