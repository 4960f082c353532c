internal import PortolanPortal

/// The responses of services, kept while the map is open: each is requested once, however many
/// pictures show it.
///
/// Failures are not kept. A cancelled caller leaves a request to the others that wait for it; the
/// last one cancels it.
actor SessionCache<Key: Hashable & Sendable, Value: Sendable, Failure: Error> {
  private struct Entry {
    let value: Value
    let cost: Int
    var use: Int
  }

  private let limit: Int
  private let cost: @Sendable (Value) -> Int
  private var entries: [Key: Entry] = [:]
  private var total = 0
  private var uses = 0
  /// How often everything was forgotten.
  private var generation = 0
  private nonisolated let requests = SharedWork<Key, Result<Value, Failure>>()

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - limit: What all values together may cost; what was not used for longest goes first.
  ///   - cost: What a value costs, in bytes or features.
  init(limit: Int, cost: @escaping @Sendable (Value) -> Int) {
    self.limit = limit
    self.cost = cost
  }

  /// The value for `key`, for which `load` is asked unless it is kept.
  ///
  /// - Parameters:
  ///   - key: What is requested.
  ///   - cancelled: The failure of a task that was cancelled.
  ///   - load: Asks for it.
  /// - Returns: The value.
  /// - Throws: What `load` throws.
  func value(
    for key: Key, orIfCancelled cancelled: Failure,
    _ load: @escaping @Sendable () async -> Result<Value, Failure>
  ) async throws(Failure) -> Value {
    if let known = kept(key) { return known }
    let generation = generation
    guard let result = await requests.value(for: key, load) else { throw cancelled }
    let value = try result.get()
    // What was requested before everything was forgotten may be what it was then.
    if generation == self.generation { keep(value, for: key) }
    return value
  }

  /// Forgets all values, since they are others now.
  func forgetAll() {
    generation += 1
    entries = [:]
    total = 0
  }

  /// Whether the value for `key` is kept.
  func has(_ key: Key) -> Bool { entries[key] != nil }

  private func kept(_ key: Key) -> Value? {
    guard let value = entries[key]?.value else { return nil }
    uses += 1
    entries[key]?.use = uses
    return value
  }

  private func keep(_ value: Value, for key: Key) {
    let cost = cost(value)
    guard entries[key] == nil, cost <= limit else { return }
    uses += 1
    entries[key] = Entry(value: value, cost: cost, use: uses)
    total += cost
    guard total > limit else { return }
    // A tenth more goes, so that this is not done for every new value.
    for (key, entry) in entries.sorted(by: { $0.value.use < $1.value.use }) {
      guard total > limit / 10 * 9 else { break }
      entries[key] = nil
      total -= entry.cost
    }
  }
}
