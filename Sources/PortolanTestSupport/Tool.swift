internal import Foundation
public import Testing

/// Programs that may be installed, whose word on our files tests ask for.
public enum Tool {
  /// The result of a program.
  public struct Result: Hashable, Sendable {
    public var status: Int32
    public var output: String
    public var errors: String

    public init(status: Int32, output: String, errors: String) {
      self.status = status
      self.output = output
      self.errors = errors
    }
  }

  /// The path of a program, by `PATH`.
  public static func path(of name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program to its end; its output passes through ``temporaryDirectory``.
  public static func run(_ name: String, _ arguments: String...) throws -> Result {
    try run(name, arguments, in: temporaryDirectory)
  }

  /// Runs a program to its end; its output passes through ``temporaryDirectory``.
  public static func run(_ name: String, _ arguments: [String]) throws -> Result {
    try run(name, arguments, in: temporaryDirectory)
  }

  /// Runs a program that waits for answers from this process: tasks share few threads, and one
  /// that is blocked answers no request.
  public static func runOnThread(
    _ name: String, _ arguments: [String]
  ) async throws -> Result {
    let folder = temporaryDirectory
    return try await onOwnThread { try run(name, arguments, in: folder) }
  }

  /// Whether Python is installed and finds a module.
  static func hasPython(_ module: String) -> Bool {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return try run("python3", ["-c", "import \(module)"], in: folder).status == 0
    } catch {
      return false
    }
  }

  private static func run(_ name: String, _ arguments: [String], in folder: URL) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: path(of: name) ?? name)
    process.arguments = arguments
    let files = ["output", "errors"].map {
      folder.appending(path: "\($0)-\(UUID().uuidString)")
    }
    for file in files { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: files[0])
    process.standardError = try FileHandle(forWritingTo: files[1])
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: try String(contentsOf: files[0], encoding: .utf8),
      errors: try String(contentsOf: files[1], encoding: .utf8))
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, saying so, where a program is not installed.
  public static func needsTool(_ name: String) -> Self {
    .enabled(if: Tool.path(of: name) != nil, "needs \(name), which is not installed")
  }

  /// Skips the test, saying so, where Python or one of its modules is not installed.
  public static func needsPython(_ module: String) -> Self {
    .enabled(if: Tool.hasPython(module), "needs python3 with \(module), which is not installed")
  }
}
