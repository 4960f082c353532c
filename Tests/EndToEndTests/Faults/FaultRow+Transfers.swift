import DemoPortal
import PortolanJobs

extension FaultRow {
  private static let address = "https://demo.test\(FaultPhase.areaData.path)"
  private static let brokenOff = "\(address) broke off: the portal ended the connection."
  private static let brokenSeal = "Tiles arrived damaged: its seal is broken."

  /// The faults of bytes on their way.
  static let transfers: [FaultRow] = [
    FaultRow(
      .areaData, "one connection is cut after 1,000 bytes", .stored, times: 1,
      by: .cut(after: 1_000)),
    FaultRow(
      .areaData, "every connection is cut after 10,000 bytes", .stored, by: .cut(after: 10_000)),
    FaultRow(
      .areaData, "every connection is cut before the first byte", .storedInPart(.transient),
      brokenOff, by: .cut(after: 0)),
    FaultRow(.areaData, "one connection is dropped unanswered", .stored, times: 1, by: .drop),
    FaultRow(
      .areaData, "every connection is dropped unanswered", .storedInPart(.transient), brokenOff,
      by: .drop),
    FaultRow(
      .areaData, "one answer stalls after 1,000 bytes", .stored, times: 1, by: .stall(after: 1_000)),
    FaultRow(
      .areaData, "every answer stalls at once", .storedInPart(.transient),
      "\(address) stopped sending.", by: .stall(after: 0)),
    FaultRow(
      .areaData, "one body is shorter than announced", .stored, times: 1, by: .wrongLength(by: 100)),
    FaultRow(
      .areaData, "every body is longer than announced", .storedInPart(.damaged), brokenSeal,
      by: .wrongLength(by: -100)),
    FaultRow(.areaData, "bytes of one body are changed", .stored, times: 1, by: .corrupt(bytes: 3)),
    FaultRow(
      .areaData, "bytes of every body are changed", .storedInPart(.damaged), brokenSeal,
      by: .corrupt(bytes: 3)),
    FaultRow(
      .packageData, "bytes of every body are changed", .failed(.damaged),
      "Harbor arrived damaged: its seal is broken.", by: .corrupt(bytes: 3)),
    FaultRow(
      .packageData, "one connection is cut after 1,000 bytes", .stored, times: 1,
      by: .cut(after: 1_000)
    ),
    FaultRow(.areaData, "cut once, and the server knows no ranges", .stored) { bed in
      await bed.state.add(DemoFault(.noRanges, path: FaultPhase.areaData.path))
      await bed.state.add(DemoFault(.cut(after: 1_000), path: FaultPhase.areaData.path, count: 1))
    },
    FaultRow(.areaData, "cut once, and the ETag is another one then", .stored) { bed in
      await bed.state.add(DemoFault(.cut(after: 1_000), path: FaultPhase.areaData.path, count: 1))
      await bed.state.add(DemoFault(.newVersion, path: FaultPhase.areaData.path, skip: 1))
    },
    FaultRow(
      .areaData, "the first byte takes 20 seconds", .stored, waits: 20, by: .latency(.seconds(20))),
    FaultRow(
      .areaData, "429 once, with Retry-After: 7", .stored, waits: 7, times: 1,
      by: .status(429, retryAfter: 7)),
    FaultRow(
      .areaItem, "429 once, with Retry-After: 3600", .stored, waits: 3_600, times: 1,
      by: .status(429, retryAfter: 3_600)),
    FaultRow(.areaItem, "503 once", .stored, times: 1, by: .status(503, retryAfter: nil)),
    FaultRow(
      .areaItem, "every connection is dropped unanswered", .failed(.transient),
      "https://demo.test\(FaultPhase.areaItem.path) broke off: the portal ended the connection.",
      by: .drop),
    FaultRow(
      .packageList, "every answer stalls at once", .failed(.transient),
      "https://demo.test\(FaultPhase.packageList.path) stopped sending.", by: .stall(after: 0)),
  ]
}
