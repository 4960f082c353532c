extension DemoState {
  /// Lets something go wrong from now on.
  ///
  /// - Returns: The fault's number, to remove it by.
  @discardableResult
  public func add(_ fault: DemoFault) -> Int { faults.add(fault) }

  /// Removes the fault with that number, or all of them.
  ///
  /// - Returns: How many were removed.
  @discardableResult
  public func removeFaults(_ id: Int? = nil) -> Int { faults.remove(id) }

  /// Takes the portal off the network, or back on it: every connection ends unanswered.
  public func setNetwork(isOn: Bool) { isNetworkOn = isOn }

  /// The faults of a request to `path`.
  func faults(for path: String) -> [DemoFault.Kind] {
    isNetworkOn ? faults.faults(for: path) : [.drop]
  }

  /// Withdraws a token, as if its time were over.
  func expire(_ token: String) { _ = tokens.remove(token) }
}
