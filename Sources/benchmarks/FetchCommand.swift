import Foundation
import PortolanCrypto
import PortolanCurl
import PortolanTransport
import Synchronization

/// Fetches one file, as a process that `DownloadBenchmark` measures.
struct FetchCommand {
  private let url: URL
  private let destination: URL
  private let digests: Bool

  /// Reads `--fetch=URL --to=FILE [--sha256]`; `nil` without them.
  init?(arguments: [String]) {
    guard let url = arguments.value(of: "--fetch=").flatMap({ URL(string: $0) }),
      let path = arguments.value(of: "--to=")
    else { return nil }
    self.url = url
    destination = URL(filePath: path)
    digests = arguments.contains("--sha256")
  }

  func run() async throws {
    let curl = CurlConfiguration(
      userAgent: "Portolan/benchmark", environment: ProcessInfo.processInfo.environment)
    let transport = LiveTransport(
      LiveTransport.Configuration(curl: curl),
      monitor: FixedNetworkMonitor(.online(isMetered: nil)), now: { Date() },
      chance: { Double.random(in: 0..<1) })
    let options = FileDownload.Options(digest: digests ? try DownloadSHA256() : nil)
    let outcome = try await FileDownload(
      HTTPRequest(url), to: destination, options: options, over: transport,
      clock: ContinuousClock(), chance: { Double.random(in: 0..<1) }
    ).run()
    guard case .file = outcome else { throw BenchmarkError("\(outcome)") }
    await transport.close()
  }
}

/// SHA-256 over OpenSSL, of a download.
private final class DownloadSHA256: DownloadDigest {
  private let digest: Mutex<SHA256?>

  init() throws { digest = Mutex(try SHA256()) }

  func update(_ bytes: RawSpan) {
    // A digest that fails is none; the benchmark measures time only.
    digest.withLock { try? $0?.update(bytes) }
  }

  func reset() {
    // As above.
    digest.withLock { $0 = try? SHA256() }
  }

  func finish() -> [UInt8] {
    // As above.
    digest.withLock { digest in (try? digest.take()?.finalize()).map { Array($0) } ?? [] }
  }
}
