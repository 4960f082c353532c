internal import Foundation

extension Session {
  /// Refuses the options of every command that a demo portal would ignore; at the prompt they are
  /// about its other lines.
  ///
  /// - Parameters:
  ///   - name: What brings the demo portal, such as an option.
  ///   - suggestion: What to do instead.
  /// - Throws: ``UsageError`` if one was given.
  func refuseOptions(ignoredBy name: String, _ suggestion: String) throws(UsageError) {
    guard !keepsMap else { return }
    let given = [
      (GlobalOptions.homeOption, options.home != nil),
      (GlobalOptions.portalOption, options.portal != nil),
      (GlobalOptions.offlineFlag, options.isOffline),
    ]
    guard let ignored = given.first(where: \.1)?.0 else { return }
    throw UsageError(
      "\(ignored.label) means nothing with \(name), which brings a portal and a home folder of its own.",
      suggestion: suggestion)
  }
}
