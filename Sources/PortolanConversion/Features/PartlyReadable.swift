/// A store that leaves out what it cannot read, and says so.
package protocol PartlyReadable {
  /// What is left out, as failures of a conversion.
  var failures: [ConversionResult.Failure] { get }
  /// What fields could not take over as it is, in sentences.
  var notes: [String] { get }
}
