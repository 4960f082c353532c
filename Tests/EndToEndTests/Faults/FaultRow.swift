import DemoPortal
import PortolanJobs
import Testing

/// The phase of a download when a fault comes.
enum FaultPhase: String, CaseIterable, Sendable {
  case areaItem = "area"
  case packageList = "list of packages"
  case webMap = "web map"
  case areaData = "package of an area"
  case packageItem = "item of a package"
  case packageData = "mobile map package"
  case device = "on the device"

  /// Whether an area is downloaded, not a mobile map package.
  var isOfArea: Bool { self != .packageItem && self != .packageData }

  /// The paths that a fault befalls.
  var path: String {
    let items = "/sharing/rest/content/items/"
    return switch self {
    case .areaItem: items + FaultBed.area
    case .packageList: items + FaultBed.area + "/relatedItems"
    case .webMap: items + FaultBed.webMap + "/data"
    case .areaData: items + FaultBed.tiles + "/data"
    case .packageItem: items + FaultBed.package
    case .packageData: items + FaultBed.package + "/data"
    case .device: "*"
    }
  }
}

/// The end of a download, or the reason why it waits.
enum FaultEnd: Hashable, Sendable {
  case stored
  case storedInPart(JobFailureKind)
  case waitsForNetwork
  case waitsForSignIn
  case waitsForSpace
  case failed(JobFailureKind)
  case undecided

  init(_ job: Job) {
    self =
      switch job.state {
      case .succeeded: .stored
      case .succeededInPart:
        .storedInPart(job.failedItems.first { $0.isFailure }?.failure.kind ?? .excluded)
      case .waiting(.network): .waitsForNetwork
      case .waiting(.signIn): .waitsForSignIn
      case .waiting(.space): .waitsForSpace
      case .failed(let failure): .failed(failure.kind)
      default: .undecided
      }
  }

  var sentence: String {
    switch self {
    case .stored: "stored"
    case .storedInPart(let kind): "stored in part (\(kind.rawValue))"
    case .waitsForNetwork: "waits for a network"
    case .waitsForSignIn: "waits for a sign-in"
    case .waitsForSpace: "waits for space"
    case .failed(let kind): "failed (\(kind.rawValue))"
    case .undecided: "undecided"
    }
  }

  /// Whether a map is in the library.
  var isStored: Bool {
    switch self {
    case .stored, .storedInPart: true
    default: false
    }
  }
}

/// A fault, when it comes, and how it ends.
struct FaultRow: Sendable, CustomTestStringConvertible {
  typealias Act = @Sendable (FaultBed) async throws -> Void

  let phase: FaultPhase
  let fault: String
  let end: FaultEnd
  /// The sentence that people are told; empty where there is nothing to tell.
  let reason: String
  /// The end when the fault is gone and somebody resumes it.
  let afterwards: FaultEnd
  /// The fault.
  let arrange: Act
  /// The remedy.
  let heal: Act
  /// The minimum time that it waits, in seconds.
  let waits: Int

  init(
    _ phase: FaultPhase, _ fault: String, _ end: FaultEnd, _ reason: String = "",
    afterwards: FaultEnd = .stored, waits: Int = 0, heal: @escaping Act = { _ in },
    arrange: @escaping Act
  ) {
    self.phase = phase
    self.fault = fault
    self.end = end
    self.reason = reason
    self.afterwards = afterwards
    self.arrange = arrange
    self.heal = heal
    self.waits = waits
  }

  /// A fault of the portal that befalls the requests of a phase.
  init(
    _ phase: FaultPhase, _ fault: String, _ end: FaultEnd, _ reason: String = "",
    afterwards: FaultEnd = .stored, waits: Int = 0, times: Int? = nil,
    by kinds: DemoFault.Kind...
  ) {
    self.init(phase, fault, end, reason, afterwards: afterwards, waits: waits) { bed in
      for kind in kinds { await bed.state.add(DemoFault(kind, path: phase.path, count: times)) }
    }
  }

  var testDescription: String { "\(phase.rawValue): \(fault)" }
}
