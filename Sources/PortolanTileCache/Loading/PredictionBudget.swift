/// The number of bytes that may be loaded ahead, by all sources together.
public actor PredictionBudget {
  private var rest: Int

  /// Allows so many bytes.
  public init(byteCount: Int) { rest = byteCount }

  /// How many bytes may still be loaded.
  public var remaining: Int { rest }

  func spend(_ byteCount: Int) { rest -= byteCount }
}
