// CompileRequest ↔ JSON: see Request.h.
#include "runtime/Compile/Request.h"

#include "blocks/Error.h"

#include <nlohmann/json.hpp>

namespace blocks {

using Json = nlohmann::json;

std::string requestToJson(const CompileRequest &request,
                          const std::string &stopAfter) {
  Json graphs = Json::array();
  for (const auto &[name, outputs] : request.graphs)
    graphs.push_back({{"name", name}, {"outputs", outputs}});
  Json files = Json::array();
  for (const auto &[name, text] : request.files)
    files.push_back({{"name", name}, {"text", text}});
  return Json{{"model", request.modelText},
              {"name", request.modelName},
              {"training", request.training},
              {"evaluation", request.evaluation},
              {"cost", request.cost},
              {"graphs", std::move(graphs)},
              {"outputs", request.outputs},
              {"step_rule", request.stepRule},
              {"regularizers", request.regularizers},
              {"cpu", request.cpuLevel},
              {"device", request.device},
              {"cuda_arch", request.cudaArch},
              {"precision", request.precision},
              {"files", std::move(files)},
              {"kernel_bodies_because", request.kernelBodiesBecause},
              {"verify_annotations", request.verifyAnnotations},
              {"stop_after", stopAfter}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

CompileRequest requestFromJson(std::string_view text, std::string &stopAfter) {
  try {
    Json json = Json::parse(text);
    CompileRequest request;
    request.modelText = json.at("model").get<std::string>();
    request.modelName = json.at("name").get<std::string>();
    request.training = json.at("training").get<bool>();
    request.evaluation = json.at("evaluation").get<bool>();
    request.cost = json.at("cost").get<std::string>();
    for (const Json &graph : json.at("graphs"))
      request.graphs.emplace_back(
          graph.at("name").get<std::string>(),
          graph.at("outputs").get<std::vector<std::string>>());
    request.outputs = json.at("outputs").get<std::vector<std::string>>();
    request.stepRule = json.at("step_rule").get<std::string>();
    request.regularizers =
        json.at("regularizers").get<std::vector<std::string>>();
    request.cpuLevel = json.at("cpu").get<std::string>();
    request.device = json.at("device").get<std::string>();
    request.cudaArch = json.at("cuda_arch").get<std::string>();
    request.precision = json.at("precision").get<std::string>();
    for (const Json &file : json.at("files"))
      request.files.emplace_back(file.at("name").get<std::string>(),
                                 file.at("text").get<std::string>());
    request.kernelBodiesBecause =
        json.at("kernel_bodies_because").get<std::string>();
    request.verifyAnnotations = json.at("verify_annotations").get<bool>();
    stopAfter = json.at("stop_after").get<std::string>();
    return request;
  } catch (const Json::exception &e) {
    throw InputError(std::string("the compile request is malformed: ") +
                     e.what());
  }
}

} // namespace blocks
