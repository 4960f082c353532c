import DemoPortal
import PortolanJobs

extension FaultRow {
  /// Every status in every phase that a server answers in.
  static let statuses: [FaultRow] =
    [FaultPhase.areaItem, .packageList, .webMap, .areaData, .packageItem, .packageData]
    .flatMap { phase in
      [400, 401, 403, 404, 410, 429, 500, 502, 503, 504].map { status(phase, $0) }
    }

  private static func status(_ phase: FaultPhase, _ status: Int) -> FaultRow {
    guard status != 401 else {
      return FaultRow(
        phase, "401", .waitsForSignIn, "demo.test requires a sign-in.",
        by: .status(401, retryAfter: nil))
    }
    let (kind, reason): (JobFailureKind, String) =
      switch status {
      case 400: (.refused, "{address} cannot do that: HTTP status 400.")
      case 403: (.signIn, "You may not use {address}: HTTP status 403.")
      case 404:
        (.absent, "{address} does not exist, or is not shared with you: HTTP status 404.")
      case 410: (.absent, "{address} cannot do that: HTTP status 410.")
      case 429: (.transient, "demo.test has had too many requests.")
      default: (.transient, "The server failed at {address}: HTTP status \(status).")
      }
    let end: FaultEnd = phase == .areaData ? .storedInPart(kind) : .failed(kind)
    return FaultRow(
      phase, "\(status)", end,
      reason.replacing("{address}", with: "https://demo.test\(phase.path)"),
      by: .status(status, retryAfter: nil))
  }
}
