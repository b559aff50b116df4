import 'dart:math';

const double vectorFloorStrict = 0.42;
const int maxCandidates = 64;

enum GateReason { none, textOnly, dualSignal }

double relevanceGate(double text, double vector) {
  if (vector < vectorFloorStrict) {
    return 0;
  }
  return max(text, vector);
}

List<String> relevanceGates() => ['text', 'vector'];

class Merger {
  Merger(this.limit);

  final int limit;

  int merge(List<double> scores) {
    var kept = 0;
    for (final score in scores) {
      if (relevanceGate(score, score) > 0) {
        kept += 1;
      }
    }
    return min(kept, limit);
  }
}

class RankMerger extends Merger {
  RankMerger() : super(maxCandidates);

  void reset() {}
}
