import Foundation
import PortolanConversion
import PortolanCurl
import PortolanPortal
import PortolanTransport

/// Writes all features of a layer of a service to a file, and prints what that took.
///
/// Runs in a process of its own, so that its memory can be measured.
struct FeatureDownload: BenchmarkSuite {
  let name = "download-features"

  func run(_ bed: BenchmarkBed) async throws {
    guard let url = Self.value("--url=").flatMap({ URL(string: $0) }),
      let output = Self.value("--out=").map({ URL(filePath: $0) })
    else { throw BenchmarkError("It takes --url=LAYER and --out=FILE.") }
    let clock = ContinuousClock()
    let start = clock.now
    let client = RESTClient(
      transport: PlainTransport(transport: Self.transport()),
      authenticator: AnonymousAuthenticator())
    var table = try await ServiceFeatureTable.load(url, client: client)
    if CommandLine.arguments.contains("--json") {
      var info = table.info
      info.supportsPBF = false
      table = ServiceFeatureTable(url: url, info: info, client: client)
    }
    let store = ServiceFeatureStore([ServiceFeatureStore.Table(table)])
    let conversion = try Conversion(
      of: .features(store), at: url, to: output, Conversion.Parameters(replacesTarget: true))
    let result = try await conversion.run()
    let wall = (clock.now - start) / .seconds(1)
    let count = result.tables.first?.writtenCount ?? 0
    print("\(count) features; wall \(wall) s; \(ProcessUse.now)")
  }

  private static func transport() -> LiveTransport {
    LiveTransport(
      LiveTransport.Configuration(curl: CurlConfiguration(userAgent: "Portolan benchmarks")),
      monitor: FixedNetworkMonitor(.online(isMetered: nil)), now: { .now },
      chance: { Double.random(in: 0..<1) })
  }

  private static func value(_ option: String) -> String? {
    CommandLine.arguments.first { $0.hasPrefix(option) }.map { String($0.dropFirst(option.count)) }
  }
}

/// Asks for bodies as they are, as the floor does: within one machine packing costs more than it
/// saves.
private struct PlainTransport: HTTPTransport {
  let transport: any HTTPTransport

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    var request = request
    request.headers["Accept-Encoding"] = "identity"
    return try await transport.send(request, into: sink)
  }
}

/// The resources that the process has used so far.
struct ProcessUse: CustomStringConvertible {
  let cpuSeconds: Double
  let peakMegabytes: Double

  static var now: ProcessUse {
    var usage = rusage()
    getrusage(numericCast(RUSAGE_SELF.rawValue), &usage)
    let times = [usage.ru_utime, usage.ru_stime]
    let cpu = times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    return ProcessUse(cpuSeconds: cpu, peakMegabytes: Double(usage.ru_maxrss) / 1024)
  }

  var description: String { "cpu \(cpuSeconds) s; peak \(peakMegabytes) MB" }
}
