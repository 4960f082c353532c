internal import PortolanApp

/// The map that was set aside and that a line names.
struct KeptChoice: Sendable {
  static let name = Parameter.argument(
    "NAME", "The name in the list of \"kept\", the id or the title of its map.")

  /// The contents of the line.
  private let name: String

  init(_ arguments: Arguments) throws(UsageError) {
    name = try arguments.required(Self.name, as: .text)
  }

  /// The map that is meant.
  ///
  /// - Parameters:
  ///   - storage: Where it was set aside.
  ///   - isExact: Whether the beginning of a name is not enough.
  /// - Returns: The only one that is meant.
  /// - Throws: A problem if there is none, or if there are several.
  @MainActor func item(
    in storage: StorageModel, exactly isExact: Bool = false
  ) async throws(Problem) -> StorageModel.Kept {
    try await storage.keptItem(named: name, exactly: isExact)
  }
}
