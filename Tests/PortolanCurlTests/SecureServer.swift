import Foundation
import Glibc
import PortolanTestSupport

/// `openssl s_server`, which answers every request with a page about the connection.
enum SecureServer {
  static func run<Value>(
    certificate: URL, key: URL, _ body: (Int) async throws -> Value
  ) async throws -> Value {
    let process = Process()
    process.executableURL = URL(filePath: Tool.path(of: "openssl") ?? "openssl")
    process.arguments = [
      "s_server", "-www", "-accept", "127.0.0.1:0", "-cert",
      certificate.path(percentEncoded: false),
      "-key", key.path(percentEncoded: false),
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    defer {
      // Foundation starts programs with most signals blocked, so that they would ignore others.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    return try await body(try port(output.fileHandleForReading))
  }

  /// The port, from the line `ACCEPT 127.0.0.1:40000`.
  private static func port(_ output: FileHandle) throws -> Int {
    var text = ""
    while true {
      let data = output.availableData
      guard !data.isEmpty else { throw POSIXError(.EPIPE) }
      text += String(decoding: data, as: UTF8.self)
      if let match = text.firstMatch(of: /ACCEPT \S*:(\d+)\n/), let port = Int(match.1) {
        return port
      }
    }
  }
}
